// JSON Patch (RFC 6902), as far as the server uses it: add, replace, remove.

function decoded(part) {
  return part.replaceAll("~1", "/").replaceAll("~0", "~")
}

/** The document after the operations. What they don't touch stays the same object, so that views can compare. */
export function patched(document, operations) {
  // A copy that one operation has made is not shared yet: the next ones may change it in place.
  const own = new WeakSet()
  return operations.reduce((current, { op, path, value }) => {
    const keys = path.split("/").slice(1).map(decoded)
    return keys.length === 0 ? value : changed(current, keys, op, value, own)
  }, document)
}

function copied(container, own) {
  if (own.has(container)) return container
  const copy = Array.isArray(container) ? [...container] : { ...container }
  own.add(copy)
  return copy
}

function changed(container, [key, ...rest], op, value, own) {
  const copy = copied(container, own)
  if (rest.length > 0) {
    copy[key] = changed(container[key], rest, op, value, own)
  } else if (Array.isArray(copy)) {
    const index = key === "-" ? copy.length : Number(key)
    if (op === "add") copy.splice(index, 0, value)
    else if (op === "remove") copy.splice(index, 1)
    else copy[index] = value
  } else if (op === "remove") {
    delete copy[key]
  } else {
    copy[key] = value
  }
  return copy
}
