//! What the product is built from: every crate comes from the registry under a
//! licence that `deny.toml` allows, and a bill of materials names them all.
//!
//! The same rules as `cargo deny check bans licenses sources`, read from the same file, in
//! every run of the tests; why it is not that tool stands in decision 0071. The bill is
//! CycloneDX 1.5, written to `target/sbom.cdx.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What cargo knows of every crate that any feature brings in on this machine:
/// those for others may not have been fetched.
fn metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let said = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--all-features",
        ])
        .args(["--filter-platform", host.unwrap()])
        .current_dir(top())
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.status.success(), "{words}");
    serde_json::from_slice(&said.stdout).unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The texts of a list in `deny.toml`.
fn listed(key: &str) -> BTreeSet<String> {
    let file = std::fs::read_to_string(top().join("deny.toml")).unwrap();
    let line = file
        .lines()
        .find(|line| line.starts_with(&format!("{key} = [")));
    let line = line.unwrap_or_else(|| panic!("deny.toml has no {key}"));
    line.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Whether an SPDX expression can be met by what is allowed. `/` is the old
/// way to write OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let met = any_of(&words, &mut at, allowed);
    met && at == words.len() && !words.is_empty()
}

fn any_of(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = all_of(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all_of(words, at, allowed);
    }
    met
}

fn all_of(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.get(*at) else {
        return false;
    };
    *at += 1;
    if *word == "(" {
        let met = any_of(words, at, allowed);
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return met && closed;
    }
    let name = match (words.get(*at), words.get(*at + 1)) {
        (Some(&"WITH"), Some(exception)) => {
            *at += 2;
            format!("{word} WITH {exception}")
        }
        _ => (*word).to_owned(),
    };
    allowed.contains(&name)
}

#[test]
fn an_expression_is_met_only_by_what_is_allowed() {
    let allowed: BTreeSet<String> = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]
        .map(str::to_owned)
        .into();
    for met in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "Zlib AND MIT",
        "(GPL-3.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_allowed(met, &allowed), "{met}");
    }
    for unmet in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "Apache-2.0",
        "(MIT",
        "MIT Zlib",
    ] {
        assert!(!is_allowed(unmet, &allowed), "{unmet}");
    }
}

/// What `deny.toml` says.
struct Rules {
    allowed: BTreeSet<String>,
    banned: BTreeSet<String>,
}

impl Rules {
    fn read() -> Rules {
        let file = std::fs::read_to_string(top().join("deny.toml")).unwrap();
        // What is held here without being read: a weaker rule there must not pass unseen.
        for rule in [
            "wildcards = \"deny\"",
            "unknown-registry = \"deny\"",
            "unknown-git = \"deny\"",
        ] {
            assert!(file.contains(rule), "deny.toml has no {rule}");
        }
        Rules {
            allowed: listed("allow"),
            banned: listed("deny"),
        }
    }

    /// Everything that is wrong with a set of packages, as cargo describes them.
    fn faults(&self, packages: &[Value]) -> Vec<String> {
        let mut faults = Vec::new();
        for package in packages {
            let name = format!("{} {}", text(package, "name"), text(package, "version"));
            if self.banned.contains(text(package, "name")) {
                faults.push(format!("{name}: is banned"));
            }
            let licence = text(package, "license");
            if !is_allowed(licence, &self.allowed) {
                faults.push(format!("{name}: licence {licence:?}"));
            }
            let own = package["source"].is_null();
            let source = text(package, "source");
            if !own && source != "registry+https://github.com/rust-lang/crates.io-index" {
                faults.push(format!("{name}: comes from {source:?}"));
            }
            // A dependency on whatever version there is: only on our own crates.
            let dependencies = package["dependencies"].as_array();
            for wanted in dependencies.into_iter().flatten().filter(|_| own) {
                if text(wanted, "req") == "*" && wanted["path"].is_null() {
                    faults.push(format!("{name}: any version of {}", text(wanted, "name")));
                }
            }
        }
        faults
    }
}

#[test]
fn every_crate_has_a_licence_that_is_allowed_and_comes_from_the_registry() {
    let rules = Rules::read();
    assert!(rules.allowed.contains("MIT"), "{:?}", rules.allowed);
    assert!(!rules.banned.is_empty());
    let found = metadata();
    let packages = found["packages"].as_array().unwrap();
    assert!(packages.len() > 200, "{}", packages.len());
    assert_eq!(rules.faults(packages), [""; 0]);
}

/// Each rule finds what it is for, among the real packages.
#[test]
fn a_banned_crate_a_bad_licence_and_a_foreign_source_are_found() {
    let rules = Rules::read();
    let banned = rules.banned.first().unwrap();
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let found = metadata();
    let packages = found["packages"].as_array().unwrap();
    for (planted, fault) in [
        (
            json!({"name": banned, "version": "1.0.0", "license": "MIT", "source": registry}),
            format!("{banned} 1.0.0: is banned"),
        ),
        (
            json!({"name": "sticky", "version": "2.0.0", "license": "MIT AND GPL-3.0-only",
                "source": registry}),
            "sticky 2.0.0: licence \"MIT AND GPL-3.0-only\"".to_owned(),
        ),
        (
            json!({"name": "silent", "version": "0.1.0", "license": null, "source": registry}),
            "silent 0.1.0: licence \"\"".to_owned(),
        ),
        (
            json!({"name": "forked", "version": "0.3.0", "license": "MIT",
                "source": "git+https://example.com/forked#0123"}),
            "forked 0.3.0: comes from \"git+https://example.com/forked#0123\"".to_owned(),
        ),
        (
            json!({"name": "elsewhere", "version": "0.3.0", "license": "MIT",
                "source": "registry+https://example.com/index"}),
            "elsewhere 0.3.0: comes from \"registry+https://example.com/index\"".to_owned(),
        ),
        (
            json!({"name": "sicbo-own", "version": "0.1.0", "license": "MIT", "source": null,
                "dependencies": [{"name": "anything", "req": "*", "path": null}]}),
            "sicbo-own 0.1.0: any version of anything".to_owned(),
        ),
    ] {
        let mut with = packages.clone();
        with.push(planted);
        assert_eq!(rules.faults(&with), [fault]);
    }
}

/// SHA-256 of each crate's archive, by name and version, from the lock file.
fn checksums() -> BTreeMap<(String, String), String> {
    let lock = std::fs::read_to_string(top().join("Cargo.lock")).unwrap();
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package
                .lines()
                .find_map(|line| line.strip_prefix(&format!("{key} = ")));
            line.map(|value| value.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(checksum)) =
            (value("name"), value("version"), value("checksum"))
        {
            found.insert((name, version), checksum);
        }
    }
    found
}

/// The fuzzer's workspace has crates that nothing else is built from: with what their licences are,
/// as nothing fetches them for the tests. No release carries them.
const OF_THE_FUZZER: [(&str, &str); 3] = [
    ("arbitrary", "MIT OR Apache-2.0"),
    ("jobserver", "MIT OR Apache-2.0"),
    ("libfuzzer-sys", "(MIT OR Apache-2.0) AND NCSA"),
];

/// What only tools that build and test may be under.
const OF_TOOLS: [&str; 2] = ["MPL-2.0", "NCSA"];

/// Everything that is wrong with the fuzzer's lock file beside the workspace's own.
fn faults_of_the_fuzzer(rules: &Rules, own: &str, fuzzer: &str) -> Vec<String> {
    let mut tools = rules.allowed.clone();
    tools.extend(OF_TOOLS.map(str::to_owned));
    let packages = |lock: &str| -> Vec<(String, String, String)> {
        let values = |package: &str| {
            ["name", "version", "source"].map(|key| {
                let lines = package.lines();
                let mut found = lines.filter_map(|line| line.strip_prefix(&format!("{key} = ")));
                found
                    .next()
                    .unwrap_or_default()
                    .trim_matches('"')
                    .to_owned()
            })
        };
        let all = lock.split("[[package]]").skip(1).map(values);
        all.map(|[name, version, source]| (name, version, source))
            .collect()
    };
    let known: BTreeSet<(String, String, String)> = packages(own).into_iter().collect();
    let mut faults = Vec::new();
    for package in packages(fuzzer) {
        let (name, _, source) = &package;
        // What the workspace is built from too is held to the rules with it.
        if known.contains(&package) || name == "sicbo-fuzz" {
            continue;
        }
        let licence = OF_THE_FUZZER.iter().find(|(known, _)| known == name);
        match licence {
            Some((_, licence)) if is_allowed(licence, &tools) => {}
            _ => faults.push(format!("{name}: licence {licence:?}")),
        }
        if source != "registry+https://github.com/rust-lang/crates.io-index" {
            faults.push(format!("{name}: comes from {source:?}"));
        }
    }
    faults
}

#[test]
fn the_fuzzers_workspace_brings_in_nothing_that_is_not_known() {
    let rules = Rules::read();
    let read = |path: &str| std::fs::read_to_string(top().join(path)).unwrap();
    let (own, fuzzer) = (read("Cargo.lock"), read("fuzz/Cargo.lock"));
    assert_eq!(faults_of_the_fuzzer(&rules, &own, &fuzzer), [""; 0]);
    let planted = "[[package]]\nname = \"sticky\"\nversion = \"1.0.0\"\nsource = \"git+x\"\n";
    let faults = faults_of_the_fuzzer(&rules, &own, &(fuzzer + planted));
    assert_eq!(
        faults,
        ["sticky: licence None", "sticky: comes from \"git+x\""]
    );
}

/// Everything that is wrong with the packages of the web app: what the app carries is held to
/// `deny.toml`, what builds and tests it may be a tool's as well, and all of it is pinned by a hash.
fn faults_of_the_web(rules: &Rules, lock: &Value) -> Vec<String> {
    let mut tools = rules.allowed.clone();
    tools.extend(OF_TOOLS.map(str::to_owned));
    let mut faults = Vec::new();
    for (path, package) in lock["packages"].as_object().unwrap() {
        let Some((_, name)) = path.rsplit_once("node_modules/") else {
            continue;
        };
        let carried = package["dev"] != true && package["optional"] != true;
        let allowed = if carried { &rules.allowed } else { &tools };
        let licence = text(package, "license");
        if !is_allowed(licence, allowed) {
            faults.push(format!("{name}: licence {licence:?}"));
        }
        if !text(package, "integrity").starts_with("sha512-") {
            faults.push(format!("{name}: is not pinned by a hash"));
        }
        // Where it is fetched from is the machine's registry, and nobody else's.
        if !package["resolved"].is_null() || package["link"] == true {
            faults.push(format!("{name}: comes from elsewhere"));
        }
    }
    faults
}

#[test]
fn every_package_of_the_web_has_a_licence_that_is_allowed_and_a_hash() {
    let rules = Rules::read();
    let lock = std::fs::read_to_string(top().join("web/package-lock.json")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    assert!(lock["packages"].as_object().unwrap().len() > 50);
    assert_eq!(faults_of_the_web(&rules, &lock), [""; 0]);
    for (planted, fault) in [
        (
            json!({"version": "1.0.0", "license": "MPL-2.0", "integrity": "sha512-x"}),
            "planted: licence \"MPL-2.0\"",
        ),
        (
            json!({"version": "1.0.0", "license": "GPL-3.0", "integrity": "sha512-x", "dev": true}),
            "planted: licence \"GPL-3.0\"",
        ),
        (
            json!({"version": "1.0.0", "license": "MIT"}),
            "planted: is not pinned by a hash",
        ),
        (
            json!({"version": "1.0.0", "license": "MIT", "integrity": "sha512-x",
                "resolved": "git+ssh://git@example.com/planted.git"}),
            "planted: comes from elsewhere",
        ),
    ] {
        let mut with = lock.clone();
        with["packages"]["node_modules/planted"] = planted;
        assert_eq!(faults_of_the_web(&rules, &with), [fault]);
    }
}

/// The packages that the web app is made from and carries.
fn of_the_web() -> Vec<Value> {
    let lock = std::fs::read_to_string(top().join("web/package-lock.json")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    let packages = lock["packages"].as_object().unwrap();
    let carried = packages.iter().filter(|(path, package)| {
        path.starts_with("node_modules/") && package["dev"] != true && package["optional"] != true
    });
    let component = |(path, package): (&String, &Value)| {
        let name = path.trim_start_matches("node_modules/");
        let version = text(package, "version");
        let purl = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
        json!({"type": "library", "bom-ref": purl, "name": name, "version": version,
            "purl": purl, "licenses": [{"expression": text(package, "license")}]})
    };
    carried.map(component).collect()
}

fn bill(found: &Value) -> Value {
    let checksums = checksums();
    let purl = |package: &Value| {
        let (name, version) = (text(package, "name"), text(package, "version"));
        format!("pkg:cargo/{name}@{version}")
    };
    let packages = found["packages"].as_array().unwrap();
    let by_id: BTreeMap<&str, String> = packages
        .iter()
        .map(|package| (text(package, "id"), purl(package)))
        .collect();
    let component = |package: &Value| {
        let (name, version) = (text(package, "name"), text(package, "version"));
        let expression = text(package, "license").replace('/', " OR ");
        let mut component = json!({"type": "library", "bom-ref": purl(package), "name": name,
            "version": version, "purl": purl(package),
            "licenses": [{"expression": expression}]});
        let key = (name.to_owned(), version.to_owned());
        if let Some(checksum) = checksums.get(&key) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
        }
        component
    };
    let mut components: Vec<Value> = packages.iter().map(component).collect();
    components.extend(of_the_web());
    let nodes = found["resolve"]["nodes"].as_array().unwrap().iter();
    let dependencies: Vec<Value> = nodes
        .map(|node| {
            let on = node["dependencies"].as_array().unwrap().iter();
            let on: BTreeSet<&str> = on.map(|id| by_id[id.as_str().unwrap()].as_str()).collect();
            json!({"ref": by_id[text(node, "id")], "dependsOn": on})
        })
        .collect();
    json!({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "sicbo", "name": "sicbo",
            "version": env!("CARGO_PKG_VERSION")}},
        "components": components, "dependencies": dependencies})
}

#[test]
fn a_bill_of_materials_names_every_crate_with_its_hash_and_licence() {
    let found = metadata();
    let bill = bill(&found);
    let components = bill["components"].as_array().unwrap();
    let refs: BTreeSet<&str> = components.iter().map(|one| text(one, "bom-ref")).collect();
    assert_eq!(refs.len(), components.len(), "each stands there once");
    for one in components {
        for key in ["type", "name", "version", "purl", "bom-ref"] {
            assert!(!text(one, key).is_empty(), "{key} of {one}");
        }
        assert!(text(one, "purl").starts_with("pkg:"), "{one}");
        assert!(!text(&one["licenses"][0], "expression").is_empty(), "{one}");
    }
    // Whatever the lock file pins is there with the same hash.
    for ((name, version), checksum) in checksums() {
        let purl = format!("pkg:cargo/{name}@{version}");
        let one = components.iter().find(|one| text(one, "purl") == purl);
        // Crates for other machines are pinned and not built.
        let Some(one) = one else { continue };
        assert_eq!(text(&one["hashes"][0], "content"), checksum, "{purl}");
    }
    for line in bill["dependencies"].as_array().unwrap() {
        let on = line["dependsOn"].as_array().unwrap().iter();
        for name in on.filter_map(Value::as_str).chain([text(line, "ref")]) {
            assert!(refs.contains(name), "{name} is no component");
        }
    }
    assert!(
        refs.contains("pkg:npm/%40fluent/bundle@0.19.1"),
        "the web app's"
    );
    let text = serde_json::to_string_pretty(&bill).unwrap();
    let target = top().join("target");
    std::fs::create_dir_all(&target).unwrap();
    std::fs::write(target.join("sbom.cdx.json"), text + "\n").unwrap();
}
