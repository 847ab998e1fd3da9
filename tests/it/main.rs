//! The tests of the program as a whole.
#![cfg(test)]

mod architecture;
mod bad_input;
mod commands;
mod crash;
mod faults;
mod golden;
mod readme;
mod schemas;
mod shop;
mod sku_map;
mod world;
