//! Images and documents.
use super::super::object::object;
use crate::{json::Object, model::MediaSource, prompt::Media};
use alloc::format;

const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
/// Documents that are no text.
const DOCUMENTS: [&str; 8] = [
    "application/pdf",
    "application/json",
    "application/msword",
    "application/rtf",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
];

/// An image as `input_image`; `None` when its type is refused.
pub(super) fn image(media: &Media) -> Option<Object> {
    let (key, value) = match &media.source {
        MediaSource::Base64(data) if IMAGES.contains(&media.media_type.as_str()) => {
            ("image_url", format!("data:{};base64,{}", media.media_type.as_str(), data.as_str()))
        }
        MediaSource::Base64(_) => return None,
        MediaSource::Url(url) => ("image_url", url.as_str().into()),
        MediaSource::File(id) => ("file_id", id.as_str().into()),
    };
    Some(object([("type", "input_image".into()), ("detail", "auto".into()), (key, value.into())]))
}

/// A document as `input_file`; `None` when its type is refused.
pub(super) fn document(media: &Media) -> Option<Object> {
    let kind = media.media_type.as_str();
    let mut out = object([("type", "input_file".into())]);
    match &media.source {
        MediaSource::Base64(data) if DOCUMENTS.contains(&kind) || kind.starts_with("text/") => {
            let name = media.name.as_ref().filter(|name| !name.is_empty());
            // The provider asks for a name beside the bytes.
            out.insert("filename", name.map_or("document", |name| name.as_str()));
            out.insert("file_data", format!("data:{kind};base64,{}", data.as_str()));
        }
        MediaSource::Base64(_) => return None,
        MediaSource::Url(url) => drop(out.insert("file_url", url.as_str())),
        MediaSource::File(id) => drop(out.insert("file_id", id.as_str())),
    }
    Some(out)
}
