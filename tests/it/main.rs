//! The tests of the program as a whole.
#![cfg(test)]

mod approval;
mod architecture;
mod bad_input;
mod commands;
mod crash;
mod faults;
mod folder;
mod golden;
mod readme;
mod schemas;
mod shop;
mod unattended;
mod world;
