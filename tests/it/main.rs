//! The tests of the program as a whole.
#![cfg(test)]

mod approval;
mod architecture;
mod artwork;
mod bad_input;
mod commands;
mod contract;
mod crash;
mod faults;
mod folder;
mod golden;
mod operator;
mod readme;
mod schemas;
mod shop;
mod unattended;
mod webhooks;
mod world;
