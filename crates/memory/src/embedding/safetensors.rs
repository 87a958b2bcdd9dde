//! Reads tables of numbers from a `safetensors` file. The file is untrusted: sizes are checked before use.

use serde_json::Value;

/// Maximum header size: a static model has a handful of tensors.
const MAX_HEADER: usize = 1 << 20;
/// Maximum length of a vector.
const MAX_COLUMNS: usize = 8_192;

/// A number's storage format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    F16,
    F32,
    F64,
    I32,
    I64,
}

impl Kind {
    fn from_name(word: &str) -> Option<Self> {
        Some(match word {
            "F16" => Self::F16,
            "F32" => Self::F32,
            "F64" => Self::F64,
            "I32" => Self::I32,
            "I64" => Self::I64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }
}

/// A tensor's position in the file.
#[derive(Debug, Clone)]
struct Tensor {
    name: String,
    kind: Kind,
    shape: Vec<usize>,
    begin: usize,
}

/// A model's table: one row of numbers per token, and model2vec's optional weights and mapping.
#[derive(Debug)]
pub(super) struct Table {
    bytes: Vec<u8>,
    embeddings: Tensor,
    weights: Option<Tensor>,
    mapping: Option<Tensor>,
}

impl Table {
    /// Parses a file's bytes.
    ///
    /// # Errors
    /// A description of the problem.
    pub(super) fn read(bytes: Vec<u8>) -> Result<Self, String> {
        let length: [u8; 8] =
            bytes.get(..8).and_then(|head| head.try_into().ok()).ok_or("it is shorter than its header")?;
        let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
        if length > MAX_HEADER || length > bytes.len() - 8 {
            return Err("it is cut off, or not a safetensors file".into());
        }
        let header: Value = serde_json::from_slice(&bytes[8..8 + length])
            .map_err(|_| "its header isn't JSON, so it isn't a safetensors file".to_owned())?;
        let header = header.as_object().ok_or("its header isn't an object")?;
        let mut tensors = Vec::new();
        for (name, about) in header.iter().filter(|(name, _)| *name != "__metadata__") {
            tensors.extend(tensor(name, about, 8 + length, bytes.len())?);
        }
        let named = |name: &str| tensors.iter().find(|one| one.name == name).cloned();
        let floats = |one: &&Tensor| matches!(one.kind, Kind::F16 | Kind::F32);
        let mut tables = tensors.iter().filter(|one| one.shape.len() == 2).filter(floats);
        let embeddings = match named("embeddings").or_else(|| named("embedding.weight")) {
            Some(one) => one,
            None => match (tables.next(), tables.next()) {
                (Some(one), None) => one.clone(),
                _ => return Err("it has no table \"embeddings\" with a row for each token".into()),
            },
        };
        if !floats(&&embeddings) || embeddings.shape.len() != 2 {
            return Err("\"embeddings\" isn't a table of F32 or F16".into());
        }
        let (rows, columns) = (embeddings.shape[0], embeddings.shape[1]);
        if rows == 0 || columns == 0 || columns > MAX_COLUMNS {
            return Err(format!("its table has {rows} rows of {columns} numbers"));
        }
        let beside = |name: &str, whole: bool| match named(name) {
            Some(one) if one.shape.len() == 1 && matches!(one.kind, Kind::I32 | Kind::I64) == whole => {
                Ok(Some(one))
            }
            None => Ok(None),
            Some(_) => Err(format!("\"{name}\" has the wrong shape")),
        };
        let (weights, mapping) = (beside("weights", false)?, beside("mapping", true)?);
        Ok(Self { weights, mapping, bytes, embeddings })
    }

    /// The length of a vector.
    pub(super) fn columns(&self) -> usize {
        self.embeddings.shape[1]
    }

    /// Whether each of this many tokens has a row.
    pub(super) fn fits(&self, tokens: usize) -> bool {
        self.mapping.as_ref().map_or(self.embeddings.shape[0], |mapping| mapping.shape[0]) >= tokens
            && self.weights.as_ref().is_none_or(|weights| weights.shape[0] >= tokens)
    }

    /// Adds a token's row to a sum.
    pub(super) fn add(&self, token: usize, to: &mut [f32]) {
        let row = match &self.mapping {
            Some(mapping) if token < mapping.shape[0] => {
                let row = self.number(mapping, token);
                if row < 0.0 { usize::MAX } else { row as usize }
            }
            Some(_) => usize::MAX,
            None => token,
        };
        if row >= self.embeddings.shape[0] {
            return;
        }
        let weight = match &self.weights {
            Some(weights) if token < weights.shape[0] => self.number(weights, token),
            _ => 1.0,
        };
        let columns = self.columns();
        for (column, to) in to.iter_mut().enumerate().take(columns) {
            *to += (weight * self.number(&self.embeddings, row * columns + column)) as f32;
        }
    }

    /// The number at an index inside the tensor, which [`tensor`] has checked against the file's size.
    fn number(&self, of: &Tensor, at: usize) -> f64 {
        let size = of.kind.bytes();
        let begin = of.begin + at * size;
        let Some(raw) = self.bytes.get(begin..begin + size) else { return 0.0 };
        let mut eight = [0_u8; 8];
        eight[..size].copy_from_slice(raw);
        let four = [eight[0], eight[1], eight[2], eight[3]];
        match of.kind {
            Kind::F16 => f64::from(half(u16::from_le_bytes([eight[0], eight[1]]))),
            Kind::F32 => f64::from(f32::from_le_bytes(four)),
            Kind::F64 => f64::from_le_bytes(eight),
            Kind::I32 => f64::from(i32::from_le_bytes(four)),
            Kind::I64 => i64::from_le_bytes(eight) as f64,
        }
    }
}

/// Parses one tensor of the header; `None` for number formats that aren't used.
fn tensor(name: &str, about: &Value, data: usize, end: usize) -> Result<Option<Tensor>, String> {
    let wrong = |why: &str| format!("\"{name}\" {why}");
    let Some(kind) = about["dtype"].as_str().and_then(Kind::from_name) else { return Ok(None) };
    let list = |key: &str| -> Option<Vec<usize>> {
        about[key].as_array()?.iter().map(|one| usize::try_from(one.as_u64()?).ok()).collect()
    };
    let shape = list("shape").ok_or_else(|| wrong("has no shape"))?;
    let offsets = list("data_offsets").ok_or_else(|| wrong("has no place"))?;
    let [from, to] = offsets[..] else { return Err(wrong("has no place")) };
    let numbers = shape.iter().try_fold(1_usize, |all, one| all.checked_mul(*one));
    let bytes = numbers.and_then(|numbers| numbers.checked_mul(kind.bytes()));
    if to.checked_sub(from).is_none() || bytes != to.checked_sub(from) {
        return Err(wrong("has another size than its shape says"));
    }
    if data.checked_add(to).is_none_or(|last| last > end) {
        return Err(wrong("is cut off"));
    }
    Ok(Some(Tensor { name: name.to_owned(), kind, shape, begin: data + from }))
}

/// A 16-bit float.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1_024.0) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_16_bits() {
        for (bits, number) in
            [(0x0000, 0.0), (0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8)]
        {
            assert_eq!(half(bits), number, "{bits:x}");
        }
        assert!(half(0x7e00).is_nan() && half(0x7c00).is_infinite());
    }

    #[test]
    fn any_bytes_give_a_result_or_an_error() {
        let header = br#"{"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}"#;
        let mut whole = (header.len() as u64).to_le_bytes().to_vec();
        whole.extend_from_slice(header);
        whole.extend_from_slice(&[0; 16]);
        assert!(Table::read(whole.clone()).is_ok());
        for cut in 0..whole.len() {
            assert!(Table::read(whole[..cut].to_vec()).is_err(), "{cut}");
        }
        for at in 0..whole.len() {
            for bit in [0x01, 0x10, 0x80] {
                let mut other = whole.clone();
                other[at] ^= bit;
                if let Ok(table) = Table::read(other) {
                    let mut sum = vec![0.0; table.columns()];
                    (0..4).for_each(|token| table.add(token, &mut sum));
                }
            }
        }
    }
}
