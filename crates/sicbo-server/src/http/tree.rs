//! The house's tree and its witness, for those who look after the house.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Problems;
use crate::floor::Floor;
use crate::floor::tree::{Behind, TreeWatch};
use crate::problem::Problem;

/// A stream that lacks records which are known to have been written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct MissingRecords {
    /// The stream: `house`, or a table's name.
    pub stream: String,
    /// Its last record now.
    pub ends: u64,
    /// The last record that is known.
    pub known: u64,
}

/// The house's data is older than what is known outside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct HouseBehind {
    /// All of it in words.
    pub told: String,
    /// Blocks of the tree.
    pub size: u64,
    /// Blocks that are known.
    pub known_size: u64,
    /// The tree is not a shorter one but another.
    pub forked: bool,
    /// What is missing, as far as that is known.
    pub missing: Vec<MissingRecords>,
}

impl HouseBehind {
    fn of(behind: &Behind) -> HouseBehind {
        let missing = behind.missing.iter().map(|missing| MissingRecords {
            stream: missing.stream.clone(),
            ends: missing.ends,
            known: missing.known,
        });
        HouseBehind {
            told: behind.to_string(),
            size: behind.size,
            known_size: behind.known_size,
            forked: behind.forked,
            missing: missing.collect(),
        }
    }
}

/// How the tree and its witness stand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct TreeState {
    /// Which life of the house, from 1.
    pub life: u32,
    /// Whose tree, as the witness knows it.
    pub origin: String,
    /// Blocks in the tree.
    pub size: u64,
    /// Blocks under the newest signed head.
    pub signed_size: u64,
    /// The witness; null where the plan has none.
    pub witness: Option<String>,
    /// Blocks under the newest cosigned head.
    pub cosigned_size: Option<u64>,
    /// How old the last cosignature is, in seconds.
    pub cosigned_age_s: Option<i64>,
    /// For how many seconds a head has waited for its cosignature, when that is
    /// longer than the plan allows.
    pub alarm_s: Option<i64>,
    /// Why the witness has not cosigned the newest head, or what of the tree, its
    /// heads and the mark outside the data folder cannot be written.
    pub problem: Option<String>,
    /// Why the house does not play.
    pub behind: Option<HouseBehind>,
}

impl TreeState {
    pub(super) fn of(tree: &TreeWatch) -> TreeState {
        let stands = tree.stands();
        let problem = stands.problems();
        TreeState {
            life: stands.life,
            origin: stands.origin,
            size: stands.size,
            signed_size: stands.signed_size,
            witness: stands.witness,
            cosigned_size: stands.cosigned_size,
            cosigned_age_s: tree.cosigned_age_s(),
            alarm_s: tree.alarm_s(),
            problem,
            behind: stands.behind.as_ref().map(HouseBehind::of),
        }
    }
}

/// How the house's tree and its witness stand
#[utoipa::path(get, path = "/api/tree", tag = "pit",
    responses((status = 200, body = TreeState), Problems))]
pub async fn tree(State(floor): State<Arc<Floor>>) -> Result<Json<TreeState>, Problem> {
    let tree = floor.tree().ok_or_else(|| Problem::not_found("tree"))?;
    Ok(Json(TreeState::of(tree)))
}
