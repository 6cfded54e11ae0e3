/** Reads serialized Java objects, as far as keystores contain them: objects, classes, texts and arrays of bytes. */

export type JavaValue = string | Buffer | JavaObject | null | number;

export interface JavaObject {
  readonly className: string;
  readonly fields: ReadonlyMap<string, JavaValue>;
}

interface ClassDescription {
  readonly name: string;
  readonly fields: readonly { readonly type: string; readonly name: string }[];
  readonly parent: ClassDescription | null;
}

const MAGIC = 0xaced;
const VERSION = 5;

const NULL = 0x70;
const REFERENCE = 0x71;
const CLASS = 0x72;
const OBJECT = 0x73;
const STRING = 0x74;
const ARRAY = 0x75;
const END = 0x78;
const FIRST_HANDLE = 0x7e0000;

/** The sizes of primitive values in bytes. */
const primitiveBytes: Readonly<Record<string, number>> = { B: 1, C: 2, D: 8, F: 4, I: 4, J: 8, S: 2, Z: 1 };

/** Objects in a keystore have two levels. */
const MAX_DEPTH = 16;

/** Throws an error for anything but a complete object. */
export function readJavaObject(bytes: Buffer): { readonly object: JavaObject; readonly end: number } {
  const stream = new ObjectStream(bytes);
  const object = stream.readValue(0);
  if (object === null || typeof object !== 'object' || Buffer.isBuffer(object)) throw new Error('it is not an object');
  return { object, end: stream.offset };
}

class ObjectStream {
  readonly #bytes: Buffer;
  readonly #handles: (JavaValue | ClassDescription)[] = [];
  offset = 4;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    if (bytes.readUInt16BE(0) !== MAGIC || bytes.readUInt16BE(2) !== VERSION)
      throw new Error('it is not a Java object');
  }

  readValue(depth: number): JavaValue {
    if (depth > MAX_DEPTH) throw new Error('its objects are nested too deeply');
    switch (this.#readByte()) {
      case NULL:
        return null;
      case REFERENCE:
        return this.#readReference() as JavaValue;
      case STRING: {
        const text = this.#readText();
        this.#handles.push(text);
        return text;
      }
      case ARRAY:
        return this.#readArray(depth);
      case OBJECT:
        return this.#readObject(depth);
      default:
        throw new Error('it contains an unknown value');
    }
  }

  #readObject(depth: number): JavaObject {
    const description = this.#readClass(depth);
    if (description === null) throw new Error('an object has no class');
    const fields = new Map<string, JavaValue>();
    const object: JavaObject = { className: description.name, fields };
    this.#handles.push(object);
    const lineage: ClassDescription[] = [];
    for (let each: ClassDescription | null = description; each !== null; each = each.parent) lineage.unshift(each);
    for (const { fields: declared } of lineage) {
      for (const { type, name } of declared) fields.set(name, this.#readField(type, depth));
    }
    return object;
  }

  #readField(type: string, depth: number): JavaValue {
    const size = primitiveBytes[type];
    if (size === undefined) return this.readValue(depth + 1);
    this.offset += size;
    return size <= 4 ? this.#bytes.readIntBE(this.offset - size, size) : 0;
  }

  #readArray(depth: number): Buffer {
    const description = this.#readClass(depth);
    if (description?.name !== '[B') throw new Error('it contains an array of another type');
    const handle = this.#handles.push(null) - 1;
    const length = this.#bytes.readInt32BE(this.offset);
    const start = this.offset + 4;
    if (length < 0 || start + length > this.#bytes.length) throw new Error('it is incomplete');
    this.offset = start + length;
    const content = this.#bytes.subarray(start, this.offset);
    this.#handles[handle] = content;
    return content;
  }

  #readClass(depth: number): ClassDescription | null {
    if (depth > MAX_DEPTH) throw new Error('its classes are nested too deeply');
    const kind = this.#readByte();
    if (kind === NULL) return null;
    if (kind === REFERENCE) return this.#readReference() as ClassDescription;
    if (kind !== CLASS) throw new Error('a class was expected');
    const name = this.#readText();
    // The serial version, and the flags.
    this.offset += 9;
    const index = this.#handles.push(null) - 1;
    const fields = Array.from({ length: this.#readShort() }, () => {
      const type = String.fromCharCode(this.#readByte());
      const fieldName = this.#readText();
      if (primitiveBytes[type] === undefined) this.readValue(depth + 1);
      return { type, name: fieldName };
    });
    if (this.#readByte() !== END) throw new Error('a class has annotations');
    const description: ClassDescription = { name, fields, parent: this.#readClass(depth + 1) };
    this.#handles[index] = description;
    return description;
  }

  #readReference(): JavaValue | ClassDescription {
    const handle = this.#bytes.readInt32BE(this.offset) - FIRST_HANDLE;
    this.offset += 4;
    const value = this.#handles[handle];
    if (value === undefined) throw new Error('it refers to an unknown value');
    return value;
  }

  #readText(): string {
    const length = this.#readShort();
    const text = this.#bytes.toString('utf8', this.offset, this.offset + length);
    this.offset += length;
    return text;
  }

  #readByte(): number {
    this.offset += 1;
    return this.#bytes.readUInt8(this.offset - 1);
  }

  #readShort(): number {
    this.offset += 2;
    return this.#bytes.readUInt16BE(this.offset - 2);
  }
}
