//! The tests of the program as a whole.
#![cfg(test)]

mod architecture;
mod readme;
mod schemas;
mod shop;
