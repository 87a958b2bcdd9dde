//! The tools, resources and prompts that the conformance suite calls by name, on top of the real handler. Everything
//! else goes to the real handler unchanged. There are fixtures for the protocol features that the product carries
//! (content of every type, errors, progress, resources, prompts), none for capabilities that it doesn't declare:
//! those are expected failures.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, Prompt, PromptArgument, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::mcp::server::Server;

/// One grey pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
/// One silent sample.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

const TOOLS: [(&str, &str); 8] = [
    ("test_simple_text", "Answers with text"),
    ("test_image_content", "Answers with an image"),
    ("test_audio_content", "Answers with a sound"),
    ("test_embedded_resource", "Answers with a resource"),
    ("test_multiple_content_types", "Answers with text, an image and a resource"),
    ("test_error_handling", "Always fails"),
    ("test_tool_with_progress", "Reports progress three times"),
    (SCHEMA_TOOL, "Has a schema with every keyword that must come through unharmed"),
];
const SCHEMA_TOOL: &str = "json_schema_2020_12_tool";

/// The real handler with the fixtures on top.
pub(super) struct WithFixtures(Server);

impl WithFixtures {
    pub(super) fn new(real: Server) -> Self {
        Self(real)
    }
}

fn text_resource(uri: &str, mime: &str, text: impl Into<String>) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type(mime)
}

fn tools() -> impl Iterator<Item = Tool> {
    TOOLS.into_iter().map(|(name, description)| {
        let schema = if name == SCHEMA_TOOL {
            json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
                    "street": {"type": "string"}, "city": {"type": "string"}}}},
                "properties": {
                    "name": {"type": "string"},
                    "address": {"$ref": "#/$defs/address"},
                    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                    "phone": {"type": "string"},
                    "email": {"type": "string"}
                },
                "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
                "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
                "then": {"required": ["phone"]},
                "else": {"required": ["email"]},
                "additionalProperties": false
            })
        } else {
            json!({"type": "object", "properties": {}})
        };
        let schema: JsonObject = schema.as_object().cloned().unwrap_or_default();
        Tool::new(name, description, Arc::new(schema))
    })
}

async fn call(name: &str, context: &RequestContext<RoleServer>) -> Option<CallToolResult> {
    let content = match name {
        "test_simple_text" => vec![ContentBlock::text("Plain words.")],
        "test_image_content" => vec![ContentBlock::image(PNG, "image/png")],
        "test_audio_content" => vec![ContentBlock::audio(WAV, "audio/wav")],
        "test_embedded_resource" => vec![ContentBlock::resource(text_resource(
            "test://embedded-resource",
            "text/plain",
            "A resource inside an answer.",
        ))],
        "test_multiple_content_types" => vec![
            ContentBlock::text("Three kinds of content."),
            ContentBlock::image(PNG, "image/png"),
            ContentBlock::resource(text_resource(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#,
            )),
        ],
        "test_error_handling" => {
            return Some(CallToolResult::error(vec![ContentBlock::text("This tool fails on purpose.")]));
        }
        "test_tool_with_progress" => {
            if let Some(token) = context.meta.get_progress_token() {
                for done in [0.0, 50.0, 100.0] {
                    let step = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
                    if let Err(error) = context.peer.notify_progress(step).await {
                        log::warn!("progress was not sent: {error}");
                    }
                }
            }
            vec![ContentBlock::text("All of it is done.")]
        }
        SCHEMA_TOOL => vec![ContentBlock::text("The schema is what matters.")],
        _ => return None,
    };
    Some(CallToolResult::success(content))
}

fn resources() -> [Resource; 2] {
    let resource = |uri: &str, name: &str, mime: &str| {
        let mut resource = Resource::new(uri, name);
        resource.mime_type = Some(mime.into());
        resource
    };
    [
        resource("test://static-text", "static text", "text/plain"),
        resource("test://static-binary", "static binary", "image/png"),
    ]
}

fn read(uri: &str) -> Option<ResourceContents> {
    match uri {
        "test://static-text" => Some(text_resource(uri, "text/plain", "Text that never changes.")),
        "test://static-binary" => Some(ResourceContents::blob(PNG, uri).with_mime_type("image/png")),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            Some(text_resource(uri, "application/json", json!({"id": id}).to_string()))
        }
    }
}

fn prompts() -> Vec<Prompt> {
    let argument = |name: &str| PromptArgument::new(name).with_description("Put in").with_required(true);
    vec![
        Prompt::new("test_simple_prompt", Some("One message"), None),
        Prompt::new(
            "test_prompt_with_arguments",
            Some("Both arguments in one message"),
            Some(vec![argument("arg1"), argument("arg2")]),
        ),
        Prompt::new(
            "test_prompt_with_embedded_resource",
            Some("The resource named, then a message"),
            Some(vec![argument("resourceUri")]),
        ),
        Prompt::new("test_prompt_with_image", Some("An image, then a message"), None),
    ]
}

fn prompt(params: &GetPromptRequestParams) -> Option<Vec<PromptMessage>> {
    let argument = |name: &str| {
        params.arguments.as_ref().and_then(|all| all.get(name)).and_then(Value::as_str).unwrap_or_default()
    };
    let message = |content| PromptMessage::new(Role::User, content);
    Some(match params.name.as_str() {
        "test_simple_prompt" => vec![message(ContentBlock::text("A plain question."))],
        "test_prompt_with_arguments" => vec![message(ContentBlock::text(format!(
            "Prompt with arguments: arg1='{}', arg2='{}'",
            argument("arg1"),
            argument("arg2")
        )))],
        "test_prompt_with_embedded_resource" => vec![
            message(ContentBlock::resource(text_resource(
                argument("resourceUri"),
                "text/plain",
                "A resource inside a prompt.",
            ))),
            message(ContentBlock::text("Look at the resource above.")),
        ],
        "test_prompt_with_image" => vec![
            message(ContentBlock::image(PNG, "image/png")),
            message(ContentBlock::text("Look at the image above.")),
        ],
        _ => return None,
    })
}

impl ServerHandler for WithFixtures {
    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.0.discover(context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.0.on_initialized(context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.0.on_roots_list_changed(context).await;
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.0.list_tools(page, context).await?;
        listed.tools.extend(tools());
        Ok(listed)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match call(&params.name, &context).await {
            Some(result) => Ok(result.into()),
            None => self.0.call_tool(params, context).await,
        }
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut listed = self.0.list_prompts(page, context).await?;
        listed.prompts.extend(prompts());
        Ok(listed)
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        match prompt(&params) {
            Some(messages) => Ok(GetPromptResult::new(messages).into()),
            None => self.0.get_prompt(params, context).await,
        }
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = self.0.list_resources(page, context).await?;
        if listed.next_cursor.is_none() {
            listed.resources.extend(resources());
        }
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut listed = self.0.list_resource_templates(page, context).await?;
        listed.resource_templates.push(
            ResourceTemplate::new("test://template/{id}/data", "template").with_mime_type("application/json"),
        );
        Ok(listed)
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match read(&params.uri) {
            Some(contents) => Ok(ReadResourceResult::new(vec![contents]).into()),
            None => self.0.read_resource(params, context).await,
        }
    }
}
