//! Both ends of clean text.
use super::Clean;
use crate::text;

impl Clean {
    /// At most `bytes` UTF-8 bytes of both ends, with what was omitted counted between them; see
    /// [`text::ends_bytes`].
    #[must_use]
    pub fn ends_bytes(&self, bytes: usize) -> Self {
        Self(text::ends_bytes(&self.0, bytes).into_owned())
    }
}

impl Clean {
    /// The lines with their ends, so that joined they are the text to the byte.
    pub(crate) fn lines_with_ends(&self) -> impl Iterator<Item = Self> {
        self.0.split_inclusive('\n').map(|line| Self(line.into()))
    }
}
