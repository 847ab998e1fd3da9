//! The operations of the interface: method, path and name of each, in one table.

use axum::routing::MethodFilter;

/// An operation of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// GET or POST auth/token.
    GenerateToken,
    /// PUT auth/token.
    UpdateToken,
    /// products/list
    ListProducts,
    /// products/detail
    ProductDetail,
    /// products/list-sku-catalogs
    SkuCatalogs,
    /// orders/list
    ListOrders,
    /// orders/detail
    OrderDetail,
    /// orders/calculate-price-order
    Price,
    /// orders/create-new-order
    Create,
    /// orders/cancel-order
    Cancel,
    /// GET of a webhook registration.
    ReadHook(Hook),
    /// POST or PUT of a webhook registration.
    SetHook(Hook),
    /// DELETE of a webhook registration.
    RemoveHook(Hook),
}

/// One of the two webhook registrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Hook {
    /// status-order-pending: an order has a problem.
    Problem,
    /// tracking: an order is fulfilled.
    Tracking,
}

const TOKEN: &str = "/api/v2/auth/token";
const PROBLEM: &str = "/api/v2/webhook/status-order-pending";
const TRACKING: &str = "/api/v2/webhook/tracking";

/// Every method and path of the interface.
pub(crate) const ROUTES: &[(MethodFilter, &str, Operation)] = &[
    (MethodFilter::GET, TOKEN, Operation::GenerateToken),
    (MethodFilter::POST, TOKEN, Operation::GenerateToken),
    (MethodFilter::PUT, TOKEN, Operation::UpdateToken),
    (
        MethodFilter::GET,
        "/api/v2/products/list",
        Operation::ListProducts,
    ),
    (
        MethodFilter::GET,
        "/api/v2/products/detail",
        Operation::ProductDetail,
    ),
    (
        MethodFilter::GET,
        "/api/v2/products/list-sku-catalogs",
        Operation::SkuCatalogs,
    ),
    (MethodFilter::GET, "/api/v2/orders/list", Operation::ListOrders),
    (MethodFilter::GET, "/api/v2/orders/detail", Operation::OrderDetail),
    (
        MethodFilter::POST,
        "/api/v2/orders/calculate-price-order",
        Operation::Price,
    ),
    (
        MethodFilter::POST,
        "/api/v2/orders/create-new-order",
        Operation::Create,
    ),
    (
        MethodFilter::POST,
        "/api/v2/orders/cancel-order",
        Operation::Cancel,
    ),
    (MethodFilter::GET, PROBLEM, Operation::ReadHook(Hook::Problem)),
    (MethodFilter::POST, PROBLEM, Operation::SetHook(Hook::Problem)),
    (MethodFilter::PUT, PROBLEM, Operation::SetHook(Hook::Problem)),
    (
        MethodFilter::DELETE,
        PROBLEM,
        Operation::RemoveHook(Hook::Problem),
    ),
    (MethodFilter::GET, TRACKING, Operation::ReadHook(Hook::Tracking)),
    (MethodFilter::POST, TRACKING, Operation::SetHook(Hook::Tracking)),
    (MethodFilter::PUT, TRACKING, Operation::SetHook(Hook::Tracking)),
    (
        MethodFilter::DELETE,
        TRACKING,
        Operation::RemoveHook(Hook::Tracking),
    ),
];

impl Operation {
    /// Its name in counts and logs: the last part of its path, in the interface's words where they tell it apart.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GenerateToken | Self::UpdateToken => "token",
            Self::ListProducts => "products-list",
            Self::ProductDetail => "products-detail",
            Self::SkuCatalogs => "list-sku-catalogs",
            Self::ListOrders => "orders-list",
            Self::OrderDetail => "orders-detail",
            Self::Price => "calculate-price-order",
            Self::Create => "create-new-order",
            Self::Cancel => "cancel-order",
            Self::ReadHook(hook) | Self::SetHook(hook) | Self::RemoveHook(hook) => hook.name(),
        }
    }

    /// Whether it asks for the authentication header.
    pub(crate) const fn needs_token(self) -> bool {
        !matches!(self, Self::GenerateToken | Self::UpdateToken)
    }
}

impl Hook {
    /// The last part of its path.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Problem => "status-order-pending",
            Self::Tracking => "tracking",
        }
    }
}
