-- What a person is told of: notices that come before their order's id is known.

CREATE INDEX notification_problems ON notification (account_id, last_at) WHERE kind = 'order-problem';
