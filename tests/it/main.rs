//! The tests of the program as a whole.
#![cfg(test)]

mod architecture;
mod bad_input;
mod commands;
mod crash;
mod faults;
mod fuzz;
mod golden;
mod hostile;
mod readme;
mod schemas;
mod shop;
mod world;
