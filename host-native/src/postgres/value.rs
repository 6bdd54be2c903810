//! Values of the core on the wire.

use std::error::Error;
use throughline_core::sql::Value;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};

type Unfit = Box<dyn Error + Sync + Send>;

/// A parameter; its type is the one that the server has worked out for its place.
#[derive(Debug)]
pub(super) struct Param<'a>(pub(super) &'a Value);

impl ToSql for Param<'_> {
    fn to_sql(&self, wanted: &Type, out: &mut BytesMut) -> Result<IsNull, Unfit> {
        match self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) if *wanted == Type::INT8 => number.to_sql(wanted, out),
            Value::Text(text) if *wanted == Type::TEXT => text.to_sql(wanted, out),
            Value::Int(_) | Value::Text(_) => {
                Err(format!("a parameter in the place of one of type {wanted}").into())
            }
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A column of an answer.
#[derive(Debug)]
pub(super) struct Column(pub(super) Value);

impl<'a> FromSql<'a> for Column {
    fn from_sql(found: &Type, raw: &'a [u8]) -> Result<Self, Unfit> {
        Ok(Self(match *found {
            Type::INT8 => Value::Int(i64::from_sql(found, raw)?),
            Type::INT4 => Value::Int(i32::from_sql(found, raw)?.into()),
            _ => Value::Text(String::from_sql(found, raw)?),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Unfit> {
        Ok(Self(Value::Null))
    }

    fn accepts(found: &Type) -> bool {
        [Type::INT8, Type::INT4, Type::TEXT].contains(found)
    }
}
