//! The tests of the program as a whole.
#![cfg(test)]

mod architecture;
mod commands;
mod crash;
mod faults;
mod golden;
mod schemas;
mod world;
