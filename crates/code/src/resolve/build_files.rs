//! Reads which packages the build files of the JVM, .NET, Swift, Ruby, Elixir, Dart and CMake name. Parses leniently, because
//! only names are needed. Pure.

use super::needs::{Needs, add};
use super::setuptools;

/// What is asked for by these words of Gradle, alone or with a source set before them: `testImplementation`.
const CONFIGURATIONS: &[&str] = &[
    "implementation",
    "api",
    "compileonly",
    "runtimeonly",
    "annotationprocessor",
    "kapt",
    "ksp",
    "classpath",
    "compile",
];
/// What of a `pom.xml` names packages that the project's code doesn't need: what builds it, what is only given a version.
const NOT_NEEDED: &[&str] = &["dependencyManagement", "build", "reporting", "exclusions"];
const QUOTES: [char; 2] = ['"', '\''];

/// Reads the build file called `name`; `None` if it isn't one.
pub(super) fn needs_of(name: &str, text: &str) -> Option<Needs> {
    let mut needs = Needs::default();
    let out = &mut needs.packages;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    match name {
        "pom.xml" => needs.own = of_maven(text, out),
        "build.gradle" | "build.gradle.kts" => of_gradle(text, out),
        "libs.versions.toml" => of_catalog(text, out),
        "build.sbt" | "Dependencies.scala" => of_sbt(text, out),
        "build.mill" | "package.mill" | "build.sc" => of_mill(text, out),
        "Package.swift" => needs.own = of_swift(text, out),
        "Podfile" => of_pods(text, out),
        "setup.py" => setuptools::of_setup_py(text, out),
        "setup.cfg" => setuptools::of_setup_cfg(text, out),
        "CMakeLists.txt" => of_cmake(text, out),
        "mix.exs" => needs.own = of_mix(text, out),
        "pubspec.yaml" => needs.own = of_pubspec(text, out),
        _ if stem.is_empty() => return None,
        _ => match ending {
            "csproj" | "fsproj" | "vbproj" => of_dotnet(text, out),
            "gemspec" => needs.own = of_gemspec(text, out),
            _ => return None,
        },
    }
    Some(needs)
}

fn of_maven(xml: &str, out: &mut Vec<String>) -> Option<String> {
    let mut text = without_between(xml, "<!--", "-->");
    for tag in NOT_NEEDED {
        text = without_between(&text, &format!("<{tag}>"), &format!("</{tag}>"));
    }
    for one in texts_between(&text, "<dependency>", "</dependency>") {
        if let (Some(group), Some(name)) = (value_of(one, "groupId"), value_of(one, "artifactId")) {
            add(&format!("{group}:{name}"), out);
        }
    }
    let head = without_between(
        &without_between(&text, "<parent>", "</parent>"),
        "<dependencies>",
        "</dependencies>",
    );
    let group = value_of(&head, "groupId").or_else(|| value_of(&text, "groupId"))?;
    Some(format!("{group}:{}", value_of(&head, "artifactId")?))
}

fn of_gradle(text: &str, out: &mut Vec<String>) {
    for line in text.lines().map(str::trim) {
        let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let word = word.to_ascii_lowercase();
        if CONFIGURATIONS.iter().any(|configuration| word.ends_with(configuration)) {
            line.split(QUOTES).skip(1).step_by(2).for_each(|one| add_coordinates(one, out));
        }
    }
}

/// The catalogue of versions, to which the build files of Gradle refer.
fn of_catalog(toml: &str, out: &mut Vec<String>) {
    let mut listed = false;
    for line in toml.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            listed = header.starts_with("libraries]");
            continue;
        }
        let Some((_, value)) = line.split_once('=').filter(|_| listed) else { continue };
        let value = value.trim_start();
        let quoted = |key: &str| {
            let (_, rest) = value.split_once(key)?;
            rest.trim_start().strip_prefix('=')?.split(QUOTES).nth(1)
        };
        if value.starts_with(QUOTES) {
            add_coordinates(value.split(QUOTES).nth(1).unwrap_or_default(), out);
        } else if let Some(module) = quoted("module") {
            add_coordinates(module, out);
        } else if let (Some(group), Some(name)) = (quoted("group"), quoted("name")) {
            add(&format!("{group}:{name}"), out);
        }
    }
}

/// `"group" %% "name" % "version"`
fn of_sbt(text: &str, out: &mut Vec<String>) {
    let joins = |between: &str| {
        let between = between.trim();
        !between.is_empty() && between.bytes().all(|b| b == b'%')
    };
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let parts: Vec<&str> = line.split('"').collect();
        for at in (1..parts.len().saturating_sub(2)).step_by(2) {
            if joins(parts[at + 1]) && !joins(parts[at - 1]) {
                add(&format!("{}:{}", parts[at], parts[at + 2]), out);
            }
        }
    }
}

/// `mvn"group::name:version"`
fn of_mill(text: &str, out: &mut Vec<String>) {
    for mark in ["mvn\"", "ivy\""] {
        for one in texts_between(text, mark, "\"") {
            add_coordinates(&one.replace(":::", ":").replace("::", ":"), out);
        }
    }
}

fn of_dotnet(xml: &str, out: &mut Vec<String>) {
    for mark in ["<PackageReference Include=\"", "<FrameworkReference Include=\""] {
        texts_between(xml, mark, "\"").for_each(|one| add(one, out));
    }
    // A project of this kind has the framework without naming it.
    if xml.contains("\"Microsoft.NET.Sdk.Web\"") {
        add("Microsoft.AspNetCore.App", out);
    }
}

fn of_swift(text: &str, out: &mut Vec<String>) -> Option<String> {
    for one in texts_between(text, ".package(", ")") {
        let address = one.split_once("url:").and_then(|(_, rest)| rest.split('"').nth(1));
        let name = address.and_then(|address| address.trim_end_matches('/').rsplit('/').next());
        add(name.unwrap_or_default().trim_end_matches(".git"), out);
    }
    let (_, package) = text.split_once("= Package(")?;
    package.split('"').nth(1).map(str::to_owned)
}

fn of_pods(text: &str, out: &mut Vec<String>) {
    let pods = text.lines().filter_map(|line| line.trim().strip_prefix("pod ")?.split(QUOTES).nth(1));
    pods.for_each(|one| add(one.split('/').next().unwrap_or(one), out));
}

/// `find_package(OpenSSL REQUIRED)`, but for what only builds or documents.
fn of_cmake(text: &str, out: &mut Vec<String>) {
    const TOOLS: &[&str] = &["ccache", "doxygen", "git", "perl", "pkgconfig", "python", "python3", "sphinx"];
    for line in text.lines().map(str::trim_start) {
        let asks = line.get(..12).is_some_and(|word| word.eq_ignore_ascii_case("find_package"));
        let Some(rest) = asks.then(|| line[12..].trim_start()).and_then(|rest| rest.strip_prefix('(')) else {
            continue;
        };
        let name = rest.trim_start().split([' ', '\t', ')']).next().unwrap_or_default();
        if !TOOLS.iter().any(|tool| name.eq_ignore_ascii_case(tool)) {
            add(name, out);
        }
    }
}

/// `{:plug, "~> 1.0"}` in what the function `deps` of Mix lists.
fn of_mix(text: &str, out: &mut Vec<String>) -> Option<String> {
    let begin = text.split_once("deps do").or_else(|| text.split_once("deps() do"));
    let listed = begin.map_or("", |(_, rest)| rest);
    let lines = listed.lines().map(str::trim).take_while(|line| *line != "end");
    for line in lines.filter(|line| !line.starts_with('#')) {
        line.split("{:").skip(1).for_each(|one| add(one.split([',', '}']).next().unwrap_or_default(), out));
    }
    let (_, name) = text.split_once("app: :")?;
    name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().map(str::to_owned)
}

/// The keys below `dependencies` of Dart.
fn of_pubspec(yaml: &str, out: &mut Vec<String>) -> Option<String> {
    let (mut listed, mut own) = (false, None);
    for line in yaml.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let Some((key, value)) = line.split_once(':') else { continue };
        match key.strip_prefix("  ") {
            Some(name) if listed && !name.starts_with(' ') => add(name, out),
            None if !key.starts_with(' ') => {
                listed = matches!(key, "dependencies" | "dev_dependencies");
                if key == "name" {
                    let value = value.split(" #").next().unwrap_or(value);
                    own = Some(value.trim().trim_matches(['"', '\'']).to_owned());
                }
            }
            _ => {}
        }
    }
    own
}

fn of_gemspec(text: &str, out: &mut Vec<String>) -> Option<String> {
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let asks = ["add_dependency", "add_runtime_dependency", "add_development_dependency"];
        if asks.iter().any(|word| line.contains(word)) {
            add(line.split(QUOTES).nth(1).unwrap_or_default(), out);
        }
    }
    let named = text.lines().find_map(|line| line.split_once(".name").map(|(_, rest)| rest.trim_start()))?;
    named.strip_prefix('=')?.split(QUOTES).nth(1).map(str::to_owned)
}

/// `group:name:version` by its first two parts; a project beside this one has no group.
fn add_coordinates(text: &str, out: &mut Vec<String>) {
    let mut parts = text.split(':');
    if let (Some(group), Some(name)) = (parts.next(), parts.next())
        && !group.is_empty()
        && !name.is_empty()
    {
        add(&format!("{group}:{name}"), out);
    }
}

/// A text without what is between these marks.
fn without_between(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        out.push_str(before);
        rest = after.split_once(close).map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

fn texts_between<'t>(text: &'t str, open: &'t str, close: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(open).skip(1).filter_map(move |part| Some(part.split_once(close)?.0))
}

/// What a tag of XML has in it.
fn value_of<'t>(xml: &'t str, tag: &str) -> Option<&'t str> {
    let (_, rest) = xml.split_once(&format!("<{tag}>"))?;
    let value = rest.split_once('<')?.0.trim();
    (!value.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::needs_of;

    #[test]
    fn each_kind_of_build_file_is_read() {
        for (name, text, expected) in [
            (
                "pom.xml",
                "<project><parent><groupId>a.b</groupId><artifactId>all</artifactId></parent>\n\
                 <artifactId>shop</artifactId><dependencyManagement><dependencies><dependency><groupId>no</groupId>\n\
                 <artifactId>no</artifactId></dependency></dependencies></dependencyManagement>\n\
                 <dependencies><!-- one --><dependency><groupId>x.y</groupId>\n<artifactId>one</artifactId>\
                 <exclusions><exclusion><groupId>no</groupId></exclusion></exclusions></dependency></dependencies>\n\
                 <build><plugins><plugin><dependencies><dependency><groupId>no</groupId><artifactId>no</artifactId>\
                 </dependency></dependencies></plugin></plugins></build></project>",
                "a.b:shop = x.y:one",
            ),
            (
                "build.gradle.kts",
                "plugins { id(\"x\") version \"1\" }\ndependencies {\n    implementation(project(\":core\"))\n    \
                 implementation(libs.one)\n    testImplementation(platform(\"a.b:two:1.0\"))\n    api 'c:three:2'\n}\n",
                "= a.b:two c:three",
            ),
            (
                "libs.versions.toml",
                "[versions]\nx = \"1\"\n[libraries]\none = { module = \"a:one\", version.ref = \"x\" }\ntwo = \"b:two:1\"\n\
                 three = { group = \"c\", name = \"three\" }\n# old = \"d:four:1\"\n[plugins]\np = { id = \"p:q\" }\n",
                "= a:one b:two c:three",
            ),
            (
                "build.sbt",
                "libraryDependencies ++= Seq(\n  \"a.b\" %% \"one\" % \"1\",\n  \"c\" % \"two\" % V % \"test\",\n)\n",
                "= a.b:one c:two",
            ),
            ("build.mill", "def mvnDeps = Seq(mvn\"a.b::one:1\", mvn\"c:two:2\")\n", "= a.b:one c:two"),
            (
                "Shop.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk.Web\">\n<ItemGroup><PackageReference Include=\"One.Two\" Version=\"1\" />\n\
                 <None Include=\"x\" /></ItemGroup></Project>",
                "= One.Two Microsoft.AspNetCore.App",
            ),
            (
                "Package.swift",
                "let package = Package(\n    name: \"Shop\",\n    dependencies: [\n        .package(url: \"https://example.org/x/swift-nio.git\", \
                 .upToNextMajor(from: \"2\")),\n        .package(path: \"../near\"),\n    ])\n",
                "Shop = swift-nio",
            ),
            ("Podfile", "target 'A' do\n  pod 'One/Core', '~> 1'\nend\n", "= One"),
            (
                "shop.gemspec",
                "Gem::Specification.new do |s|\n  s.name = \"shop\"\n  s.add_dependency 'rack', '>= 3'\n  \
                 # s.add_dependency 'old'\n  s.add_development_dependency \"rake\"\nend\n",
                "shop = rack rake",
            ),
            (
                "setup.py",
                "setup(\n    install_requires=[\n        'one>=1',\n        \"two[all]>=2\",\n        'three',\n    ],\n)\n",
                "= one two three",
            ),
            (
                "mix.exs",
                "defmodule Shop.MixProject do\n  def project do\n    [app: :shop, deps: deps()]\n  end\n\n  defp deps do\n    [\n      \
                 {:plug, \"~> 1.0\"},\n      # {:old, \"1\"},\n      {:jason, \"~> 1.0\", only: :test}\n    ]\n  end\n\n  \
                 def other, do: {:no, 1}\nend\n",
                "shop = plug jason",
            ),
            (
                "mix.exs",
                "  def project, do: []\n\n  defp deps() do\n    [{:plug, \"~> 1.0\"}]\n  end\n",
                "= plug",
            ),
            (
                "pubspec.yaml",
                "name: \"shop\" # all\nversion: 1.0.0\n\nenvironment:\n  sdk: ^3.0.0\n\ndependencies:\n  flutter:\n    sdk: flutter\n  \
                 # old: 1\n  http: ^1.0.0\n\ndev_dependencies:\n  lints: ^4.0.0\n\nflutter:\n  uses-material-design: true\n",
                "shop = flutter http lints",
            ),
            (
                "CMakeLists.txt",
                "project(shop)\nfind_package(Git)\nIF(A)\n  FIND_PACKAGE( OpenSSL 1.1 REQUIRED)\nENDIF()\nfind_package(${X})\n\
                 # find_package(Old)\nfind_package_handle_standard_args(no)\nfind_package(ZLIB)\nfind_p\u{e9}",
                "= OpenSSL ZLIB",
            ),
            ("setup.cfg", "[options]\ninstall_requires =\n    one>=1\n    two\n[x]\ny = 1\n", "= one two"),
        ] {
            let needs = needs_of(name, text).unwrap();
            let told = format!("{} = {}", needs.own.unwrap_or_default(), needs.packages.join(" "));
            assert_eq!(told.trim(), expected, "{name}");
        }
        for name in ["build.txt", ".csproj", "Setup.py"] {
            assert_eq!(needs_of(name, ""), None, "{name}");
        }
    }
}
