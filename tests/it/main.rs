//! The tests of the program as a whole.
#![cfg(test)]

mod after;
mod approval;
mod architecture;
mod artwork;
mod bad_input;
mod commands;
mod costs;
mod contract;
mod crash;
mod faults;
mod folder;
mod golden;
mod operator;
mod model;
mod readme;
mod schemas;
mod shop;
mod unattended;
mod sku_map;
mod webhooks;
mod world;
