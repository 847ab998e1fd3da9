//! The tests of the program as a whole.
#![cfg(test)]

mod after;
mod architecture;
mod artwork;
mod bad_input;
mod commands;
mod costs;
mod contract;
mod crash;
mod faults;
mod fuzz;
mod golden;
mod hostile;
mod readme;
mod schemas;
mod shop;
mod webhooks;
mod world;
