//! The tests of the program as a whole.
#![cfg(test)]

mod architecture;
mod crash;
mod faults;
mod golden;
mod schemas;
mod world;
