//! The tests of the program as a whole.
#![cfg(test)]

mod architecture;
mod bad_input;
mod readme;
mod commands;
mod schemas;
mod shop;
