//! Which libraries count as a project's way of doing something, and which of them comes first.

use plimsoll_code::patterns::patterns;

use crate::common::Project;

#[test]
fn own_packages_are_not_a_choice_and_test_helpers_come_after_the_framework() {
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
    assert_eq!(summary(&project), ["testing: GoogleTest 1, PHPUnit 1, Prophecy 2", "http: Axios 1"]);
}

#[test]
fn a_test_counts_without_importing_its_framework_and_a_project_does_not_choose_itself() {
    let project = Project::new(&[
        ("src/Log.cs", "namespace Serilog.Core;\npublic class Log {}\n"),
        ("sample/Use.cs", "using Serilog.Events;\npublic class Use {}\n"),
        ("test/GlobalUsings.cs", "global using Xunit;\n"),
        ("test/CartTests.cs", "public class CartTests\n{\n    [Fact]\n    public void Adds() {}\n}\n"),
        ("src/Fact.cs", "public class Fact {}\n"),
        (
            "tests/TestCase.php",
            "<?php\nuse PHPUnit\\Framework\\TestCase as Base;\nclass TestCase extends Base {}\n",
        ),
        ("tests/CartTest.php", "<?php\nclass CartTest extends TestCase {}\n"),
    ]);
    assert_eq!(summary(&project), ["testing: PHPUnit 2, xUnit 2"]);
}

#[test]
fn cpp_tests_count_with_a_vendored_framework() {
    let project = Project::new(&[
        ("test/gtest/gtest/gtest.h", "class Test { void EXPECT_EQ(); };\n"),
        ("test/more.h", "#include \"gtest/gtest.h\"\n"),
        ("test/cart-test.cc", "#include \"more.h\"\nTEST(cart, adds) {\n  EXPECT_EQ(1, 1);\n}\n"),
        ("test/util.cc", "#include \"util.h\"\nint test() { return 1; }\n"),
        ("src/cart.cc", "// As EXPECT_EQ does.\nint cart() { return 1; }\n"),
    ]);
    assert_eq!(summary(&project), ["testing: GoogleTest 2"]);
}

#[test]
fn a_crate_counts_as_used_only_where_code_names_it() {
    let project = Project::new(&[
        ("Cargo.toml", "[package]\nname = \"thiserror\"\n[dependencies]\ncolor-eyre = \"0.6\"\n"),
        ("src/lib.rs", "//! The derive of thiserror.\n\npub mod a;\npub fn thiserror_impl() {}\n"),
        ("src/a.rs", "pub fn a() -> color_eyre::Result<()> { thiserror::aserror(); todo!() }\n"),
        ("src/b.rs", "// Was color_eyre before.\npub fn b() {}\n"),
        ("tests/a.rs", "// was: wiremock\n#[derive(Debug, thiserror::Error)]\nstruct E;\n"),
    ]);
    assert_eq!(summary(&project), ["errors: eyre 1"]);
}

#[test]
fn a_word_is_a_library_only_if_a_manifest_names_it() {
    let code = (
        "src/lib.rs",
        "pub fn a(db: &Db) { db.run(\"PRAGMA quick_check\"); let crossbeam = 1; }\n\
         #[derive(Debug, thiserror::Error)]\npub struct E;\n\
         mod futures;\nuse eyre::Report;\n",
    );
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nthiserror.workspace = true\n";
    assert_eq!(summary(&Project::new(&[("Cargo.toml", manifest), code])), ["errors: thiserror 1"]);
    // Without a manifest there is only the code to go by.
    let code = ("src/lib.rs", "#[derive(Debug, thiserror::Error)]\npub struct E;\n");
    assert_eq!(summary(&Project::new(&[code])), ["errors: thiserror 1"]);
}

#[test]
fn tools_in_another_language_do_not_set_the_products_choice() {
    let fetches = ("support/fetch.py", "import urllib.request\n");
    let sends = ("scripts/send.py", "import requests\n");
    let logs = ("src/log.cc", "#include <spdlog/spdlog.h>\nint log() { return 1; }\n");
    let one = ("src/one.cc", "int one() { return 1; }\n");
    let two = ("src/two.h", "int two();\n");
    let recipe = ("conanfile.py", "class Recipe:\n    pass\n");
    assert_eq!(summary(&Project::new(&[fetches, sends, logs, one, two, recipe])), ["logging: spdlog 1"]);
    // It counts in the product's own language, because the folder may be part of the product.
    let own = ["shop/a.py", "shop/b.py", "shop/c.py"].map(|path| (path, "import httpx\n"));
    let all = [&own[..], &[fetches, sends, one]].concat();
    assert_eq!(summary(&Project::new(&all)), ["http: HTTPX 3, requests 1, urllib 1"]);
    // Where there is hardly anything else, the tools are the product.
    assert_eq!(summary(&Project::new(&[sends, ("install.sh", "echo done\n")])), ["http: requests 1"]);
}

#[test]
fn the_tests_of_a_test_framework_are_written_with_it() {
    let project = Project::new(&[
        ("packages/vitest/package.json", "{\"name\": \"vitest\"}"),
        ("packages/vitest/src/index.ts", "export const expect = 1;\nexport const describe = 2;\n"),
        ("packages/vitest/src/chai.ts", "import * as chai from 'chai';\nimport { expect } from 'vitest';\n"),
        ("test/a.test.ts", "import { describe } from 'vitest';\n"),
        ("test/b.test.ts", "import { describe } from 'vitest';\n"),
        ("src/Framework/Assert.php", "<?php\nnamespace PHPUnit\\Framework;\nclass Assert {}\n"),
        ("src/Runner.php", "<?php\nnamespace PHPUnit;\nuse PHPUnit\\Framework\\Assert;\nclass Runner {}\n"),
        (
            "tests/RunnerTest.php",
            "<?php\nuse PHPUnit\\Framework\\Assert;\nclass RunnerTest extends Assert {}\n",
        ),
        // Test helpers aren't the project's product.
        ("spec/spec_helper.rb", "require 'minitest/autorun'\n"),
        ("spec/cart_spec.rb", "require 'spec_helper'\nclass CartSpec < Minitest::Test\nend\n"),
    ]);
    assert_eq!(summary(&project), ["testing: Minitest 2, Vitest 2, Mocha with Chai 1, PHPUnit 1"]);
}

#[test]
fn what_node_asserts_with_is_no_test_framework() {
    let test = |more: &str| {
        format!(
            "const assert = require('assert');\nconst request = require('supertest');\n{more}describe('cart', () => {{}});\n"
        )
    };
    let (plain, mocha) = (test(""), test("const { it } = require('mocha');\n"));
    let files = [("test/a.js", plain.as_str()), ("test/b.js", plain.as_str()), ("test/c.js", mocha.as_str())];
    let expected = "testing: Mocha with Chai 3, Supertest 3, node:assert 3";
    assert_eq!(summary(&Project::new(&files)), [expected]);
    let own = [("a.test.js", "import test from 'node:test';\nimport assert from 'node:assert/strict';\n")];
    assert_eq!(summary(&Project::new(&own)), ["testing: node:test 1, node:assert 1"]);
}

#[test]
fn the_names_of_tests_decide_where_examples_import_several_frameworks() {
    let project = Project::new(&[
        ("examples/cart_test.rb", "require 'test/unit'\nclass CartTest < Test::Unit::TestCase\nend\n"),
        ("examples/cart_spec.rb", "require 'rspec'\nRSpec.describe Cart do\nend\n"),
        ("spec/cart_spec.rb", "RSpec.describe Cart do\n  it { expect(1).to eq(1) }\nend\n"),
        ("spec/pay_spec.rb", "RSpec.describe Pay do\n  it { expect(1).to eq(1) }\nend\n"),
        ("lib/cart.rb", "class Cart\nend\n"),
    ]);
    assert_eq!(summary(&project), ["testing: RSpec 3, Minitest 1"]);
}

#[test]
fn rails_tests_use_minitest() {
    let project = Project::new(&[
        ("test/test_helper.rb", "require 'rails/test_help'\n"),
        (
            "test/models/cart_test.rb",
            "require 'test_helper'\nclass CartTest < ActiveSupport::TestCase\nend\n",
        ),
        ("test/pay_test.rb", "class PayTest < ActionDispatch::IntegrationTest\nend\n"),
        ("app/models/cart.rb", "class Cart < ApplicationRecord\nend\n"),
    ]);
    assert_eq!(summary(&project), ["testing: Minitest 3"]);
}

#[test]
fn pytest_mocks_and_log_name_variants_count_once() {
    let project = Project::new(&[
        ("tests/test_cart.py", "import pytest\nfrom unittest import mock\n\ndef test_adds():\n    pass\n"),
        ("tests/test_pay.py", "from unittest.mock import patch\n\ndef test_pays():\n    pass\n"),
        ("tests/test_old.py", "from unittest import TestCase, mock\n\nclass Old(TestCase):\n    pass\n"),
        ("go.mod", "module shop\n"),
        ("main.go", "package main\n\nimport \"log/slog\"\n\nfunc main() { slog.Info(\"a\") }\n"),
        (
            "src/main/java/shop/Cart.java",
            "package shop;\n\nimport lombok.extern.slf4j.Slf4j;\n\n@Slf4j\npublic class Cart {}\n",
        ),
    ]);
    let expected = ["testing: pytest 2, unittest 1, unittest.mock 2", "logging: SLF4J 1, slog 1"];
    assert_eq!(summary(&project), expected);
}

#[test]
fn a_file_that_only_imports_is_not_an_example() {
    let uses = "using Microsoft.Extensions.Logging;\nusing System.Net.Http;\n";
    let everywhere = uses.replace("using ", "global using ");
    let cart = format!("{uses}namespace Shop;\npublic class Cart {{}}\n");
    let project = Project::new(&[("src/Usings.cs", everywhere.as_str()), ("src/Cart.cs", cart.as_str())]);
    let (store, _) = project.indexed();
    assert_eq!(patterns(&store, None).unwrap().golden_files, ["src/Cart.cs"]);
}

#[test]
fn a_librarys_additions_to_a_microsoft_namespace_are_not_microsofts() {
    let adds = (
        "src/Shop/Registration.cs",
        "using Microsoft.Extensions.DependencyInjection;\nnamespace Microsoft.Extensions.DependencyInjection;\n\
         public static class ShopExtensions {}\n",
    );
    assert_eq!(summary(&Project::new(&[adds])), ["di: Microsoft DependencyInjection 1"]);
    let made = ("src/Microsoft.Extensions.DependencyInjection.csproj", "<Project />\n");
    assert!(summary(&Project::new(&[adds, made])).is_empty());
}

#[test]
fn tests_that_import_no_framework_count_for_the_only_one_that_runs_them() {
    let bare = "def test_adds():\n    assert 1 + 1 == 2\n";
    let spec = "RSpec.describe Cart do\n  it { expect(1).to eq(1) }\nend\n";
    let project = Project::new(&[
        ("tests/test_cart.py", bare),
        ("vendor/lib/tests/test_lib.py", bare),
        ("shop/cart.py", "def test_mode():\n    return False\n"),
        ("spec/cart_spec.rb", spec),
        ("lib/cart.rb", "class Cart\nend\n"),
    ]);
    assert_eq!(summary(&project), ["testing: RSpec 1, pytest 1"]);
    // Nose ran such functions, too, and a spec may be Minitest's.
    let others = Project::new(&[
        ("tests/test_cart.py", bare),
        ("tests/test_pay.py", "from nose.tools import eq_\n\n\ndef test_pays():\n    eq_(1, 1)\n"),
        ("spec/cart_spec.rb", "describe Cart do\n  it('adds') { }\nend\n"),
        ("spec/helper.rb", "require 'minitest/autorun'\n"),
    ]);
    assert_eq!(summary(&others), ["testing: Minitest 2, nose 1"]);
}

/// Each category with its technologies and how many files use them.
#[test]
fn tests_whose_framework_comes_from_a_class_of_the_project_count_and_assertions_are_no_framework() {
    let shop_test = |name: &str| {
        format!("require_relative 'helper'\nclass {name} < ShopTest\n  def test_adds\n    1\n  end\nend\n")
    };
    let (cart, till) = (shop_test("TestCart"), shop_test("TestTill"));
    let asserting = "import org.assertj.core.api.Assertions;\nimport org.junit.Test;\nclass A {}\n";
    let project = Project::new(&[
        ("test/helper.rb", "require 'minitest/autorun'\nclass ShopTest < Minitest::Test\nend\n"),
        ("test/test_cart.rb", cart.as_str()),
        ("test/test_till.rb", till.as_str()),
        ("lib/shop.rb", "def test_drive\n  1\nend\n"),
    ]);
    assert_eq!(summary(&project), ["testing: Minitest 3"]);
    let project = Project::new(&[
        ("src/test/java/shop/ATest.java", asserting),
        ("src/test/java/shop/BTest.java", asserting),
        ("src/test/java/shop/CTest.java", "import org.assertj.core.api.Assertions;\nclass C {}\n"),
    ]);
    assert_eq!(summary(&project), ["testing: JUnit 4 2, AssertJ 3"]);
    let project = Project::new(&[
        (
            "tests/TestCase.php",
            "<?php\nuse Illuminate\\Foundation\\Testing\\TestCase as Base;\nclass TestCase extends Base {}\n",
        ),
        ("tests/CartTest.php", "<?php\nclass CartTest extends TestCase {}\n"),
    ]);
    assert_eq!(summary(&project), ["testing: PHPUnit 2"]);
}

fn summary(project: &Project) -> Vec<String> {
    let (store, _) = project.indexed();
    let mut told = Vec::new();
    for pattern in patterns(&store, None).unwrap().patterns {
        let all = std::iter::once(&pattern.primary).chain(&pattern.also);
        let ways: Vec<String> = all.map(|way| format!("{} {}", way.name, way.files)).collect();
        told.push(format!("{}: {}", pattern.category, ways.join(", ")));
    }
    told
}
