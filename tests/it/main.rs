//! The tests of the program as a whole.
#![cfg(test)]

mod after;
mod approval;
mod architecture;
mod as_json;
mod artwork;
mod bad_input;
mod by_hand;
mod check;
mod commands;
mod contract;
mod costs;
mod crash;
mod endings;
mod faults;
mod folder;
mod fuzz;
mod golden;
mod guests;
mod hostile;
mod imports;
mod model;
mod operator;
mod orders_page;
mod quotes;
mod readme;
mod schemas;
mod shop;
mod sku_map;
mod tabs;
mod unattended;
mod webhooks;
mod world;
