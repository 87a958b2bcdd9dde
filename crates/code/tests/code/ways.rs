//! Which libraries count as a project's way of doing something, and which of them comes first.

use plimsoll_code::patterns::patterns;

use crate::common::Project;

#[test]
fn what_a_project_makes_itself_is_no_choice_and_what_tests_use_beside_a_framework_comes_after_it() {
    let with_prophecy = "<?php\nuse Prophecy\\Argument;\nclass A {}\n";
    let project = Project::new(&[
        ("packages/pinia/package.json", "{\"name\": \"pinia\"}"),
        ("packages/pinia/src/index.ts", "export const defineStore = 1;\n"),
        ("app/main.ts", "import { defineStore } from 'pinia';\nimport axios from 'axios';\n"),
        ("test/googletest-1.13.0/include/gtest/gtest.h", "class Test {};\n"),
        ("test/load_test.cpp", "#include <gtest/gtest.h>\n"),
        ("tests/ATest.php", with_prophecy),
        ("tests/BTest.php", with_prophecy),
        ("tests/TestCase.php", "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass C {}\n"),
    ]);
    let (store, _) = project.indexed();
    let mut told = Vec::new();
    for pattern in patterns(&store, None).unwrap().patterns {
        let all = std::iter::once(&pattern.primary).chain(&pattern.also);
        let ways: Vec<String> = all.map(|way| format!("{} {}", way.name, way.files)).collect();
        told.push(format!("{}: {}", pattern.category, ways.join(", ")));
    }
    assert_eq!(told, ["testing: GoogleTest 1, PHPUnit 1, Prophecy 2", "http: Axios 1"]);
}
