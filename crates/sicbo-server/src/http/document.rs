//! The API document: made from the handlers, and from the one table of who may
//! use which route.

use std::sync::OnceLock;

use axum::Extension;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use sicbo_rules::rulebook::words::Position;
use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};

use super::access::{self, Access};
use super::compressed::Known;
use super::extract::COOKIE;
use super::reports::{EventFormat, ReportFormat};
use super::security::LogFormat;
use crate::problem::Problem;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "sicbo",
        description = "Sic Bo tables: sessions, staff actions, history, vouchers. Amounts are whole \
                   minor units; times are UTC milliseconds. Errors are problem+json with a stable \
                   code and, where there is one, the rule.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(Problem, EventFormat, LogFormat, ReportFormat))
)]
pub(super) struct Document;

/// The document with what the table of routes says about each, as JSON.
pub(super) fn complete(mut document: utoipa::openapi::OpenApi) -> Value {
    let components = document.components.get_or_insert_default();
    let cookie = ApiKeyValue::with_description(COOKIE, "Staff: set by logging in");
    components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A player's terminal: the token it was enrolled with"));
    components.add_security_scheme("terminal", SecurityScheme::Http(bearer.build()));
    for (path, item) in &mut document.paths.paths {
        let operations = [
            (Method::GET, &mut item.get),
            (Method::POST, &mut item.post),
            (Method::DELETE, &mut item.delete),
        ];
        for (method, operation) in operations {
            if let Some(operation) = operation {
                say_who(operation, access::access(&method, path));
            }
        }
    }
    match serde_json::to_value(&document) {
        Ok(mut document) => {
            say_unsigned(&mut document);
            say_closed(&mut document);
            document
        }
        Err(error) => unreachable!("the document is JSON: {error}"),
    }
}

/// Numbers without a sign go up to their own largest value, not to that of the
/// signed ones they are described as.
fn say_unsigned(part: &mut Value) {
    match part {
        Value::Array(parts) => parts.iter_mut().for_each(say_unsigned),
        Value::Object(fields) => {
            let unsigned = fields
                .get("minimum")
                .and_then(Value::as_i64)
                .is_some_and(|least| least >= 0);
            let most = match fields.get("format").and_then(Value::as_str) {
                Some("int32") if unsigned => Some(u64::from(u32::MAX)),
                Some("int64") if unsigned => Some(u64::MAX),
                _ => None,
            };
            if let Some(most) = most {
                fields.remove("format");
                fields.entry("maximum").or_insert_with(|| most.into());
            }
            fields.values_mut().for_each(say_unsigned);
        }
        _ => {}
    }
}

/// What is sent to the house has the fields the document names and no others,
/// also in the variants of an enumeration, where the derived document is silent.
fn say_closed(document: &mut Value) {
    let mut sent = Vec::new();
    if let Some(paths) = document.get("paths").and_then(Value::as_object) {
        let operations = paths.values().filter_map(Value::as_object);
        for operation in operations.flat_map(serde_json::Map::values) {
            names_in(operation.get("requestBody"), &mut sent);
        }
    }
    let Some(schemas) = document.pointer_mut("/components/schemas") else {
        return;
    };
    let mut at = 0;
    while at < sent.len() {
        if let Some(schema) = schemas.get_mut(&sent[at]) {
            close(schema);
            names_in(Some(schema), &mut sent);
        }
        at += 1;
    }
}

/// The names of the schemas that a part of the document refers to, each once.
fn names_in(part: Option<&Value>, names: &mut Vec<String>) {
    match part {
        Some(Value::Array(parts)) => parts.iter().for_each(|part| names_in(Some(part), names)),
        Some(Value::Object(fields)) => {
            let name = fields
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|path| path.strip_prefix("#/components/schemas/"));
            if let Some(name) = name
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
            fields.values().for_each(|part| names_in(Some(part), names));
        }
        _ => {}
    }
}

/// Says of every object in a schema that it has no further fields.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(close),
        Value::Object(fields) => {
            if fields.get("properties").is_some_and(Value::is_object) {
                fields
                    .entry("additionalProperties")
                    .or_insert(Value::Bool(false));
            }
            fields.values_mut().for_each(close);
        }
        _ => {}
    }
}

/// Says in the document who may use an operation.
fn say_who(operation: &mut Operation, access: Option<Access>) {
    let scheme = |name: &str| {
        Some(vec![SecurityRequirement::new::<_, [&str; 0], &str>(
            name,
            [],
        )])
    };
    let words = match access {
        None => "For nobody.".to_owned(),
        Some(Access::Everyone) => return,
        Some(Access::Here) => "For programs on the house's own machine.".to_owned(),
        Some(Access::Trial) => "In a play-money house only.".to_owned(),
        Some(Access::Terminal) => {
            operation.security = scheme("terminal");
            "For a player's terminal.".to_owned()
        }
        Some(Access::LoggedIn) => {
            operation.security = scheme("session");
            "For whoever is logged in.".to_owned()
        }
        Some(access @ (Access::Only(positions) | Access::Exactly(positions))) => {
            operation.security = scheme("session");
            let names: Vec<String> = positions.iter().map(ToString::to_string).collect();
            let above = match access.admits(Position::AboveDirector1) {
                true => ", and positions above the director",
                false => "",
            };
            format!("For: {}{above}.", names.join(", "))
        }
    };
    operation.description = Some(match operation.description.take() {
        Some(known) if !known.is_empty() => format!("{known}\n\n{words}"),
        _ => words,
    });
}

/// This document
#[utoipa::path(get, path = "/openapi.json", tag = "health",
    responses((status = 200, content_type = "application/json", body = Object)))]
pub(super) async fn document() -> Response {
    static JSON: OnceLock<(String, Known)> = OnceLock::new();
    let (json, known) = JSON.get_or_init(|| {
        let json = format!("{:#}\n", super::document());
        let known = Known::of(json.as_bytes());
        (json, known)
    });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, Extension(*known), json.as_str()).into_response()
}
