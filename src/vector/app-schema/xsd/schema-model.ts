/** The components of an XML schema as declared: names are resolved, references are not. */

/** `{namespace}local`. */
export type NameKey = string;

export interface ExpandedName {
  readonly uri: string;
  readonly local: string;
}

export interface SourcePosition {
  readonly file: string;
  readonly line: number;
}

export interface ElementDeclaration extends SourcePosition {
  readonly name: ExpandedName;
  /** By name or inline; absent if the substitution head defines it, or nothing does. */
  readonly type?: NameKey | TypeDefinition;
  readonly substitutes: readonly NameKey[];
  readonly isAbstract: boolean;
  readonly isNillable: boolean;
}

export type TypeDefinition = ComplexType | SimpleType;

export interface ComplexType extends SourcePosition {
  readonly kind: 'complex';
  readonly base?: NameKey;
  readonly derivation: 'extension' | 'restriction';
  readonly content?: Particle;
  readonly attributes: readonly AttributeUse[];
}

export interface SimpleType extends SourcePosition {
  readonly kind: 'simple';
  /** The restricted type; absent for a list or union, which is text. */
  readonly base?: NameKey | SimpleType;
}

/** `max` is Infinity if unbounded. */
export interface Occurrence {
  readonly min: number;
  readonly max: number;
}

export type Particle = Occurrence &
  (
    | { readonly kind: 'sequence' | 'choice' | 'all'; readonly parts: readonly Particle[] }
    | ({ readonly kind: 'reference'; readonly element: NameKey } & SourcePosition)
    | { readonly kind: 'local'; readonly element: ElementDeclaration }
    | ({ readonly kind: 'group'; readonly group: NameKey } & SourcePosition)
  );

export type AttributeUse =
  | ({
      readonly kind: 'local';
      readonly name: ExpandedName;
      readonly type?: NameKey | SimpleType;
      readonly use: 'optional' | 'required' | 'prohibited';
    } & SourcePosition)
  | ({
      readonly kind: 'reference';
      readonly attribute: NameKey;
      readonly use: 'optional' | 'required' | 'prohibited';
    } & SourcePosition)
  | ({ readonly kind: 'group'; readonly group: NameKey } & SourcePosition);

/** The top-level components of schemas, by name. */
export interface SchemaParts {
  readonly elements: Map<NameKey, ElementDeclaration>;
  readonly types: Map<NameKey, TypeDefinition>;
  readonly groups: Map<NameKey, Particle>;
  readonly attributeGroups: Map<NameKey, readonly AttributeUse[]>;
  readonly attributes: Map<NameKey, { readonly name: ExpandedName; readonly type?: NameKey | SimpleType }>;
}

export function createSchemaParts(): SchemaParts {
  return {
    elements: new Map(),
    types: new Map(),
    groups: new Map(),
    attributeGroups: new Map(),
    attributes: new Map(),
  };
}

/** A reference to another document. */
export interface SchemaReference {
  readonly kind: 'include' | 'import' | 'redefine';
  readonly location: string | undefined;
  readonly namespace: string;
  readonly line: number;
  /** The changes of a redefinition. */
  readonly redefined?: SchemaParts;
}

export const XS = 'http://www.w3.org/2001/XMLSchema';

/** Authors often omit the declarations of these prefixes. */
export const usualPrefixes: ReadonlyMap<string, string> = new Map([
  ['xs', XS],
  ['xsd', XS],
]);

/** The built-in types of XML Schema. */
export const builtInTypes: ReadonlySet<string> = new Set([
  ...['anyType', 'anySimpleType', 'anyURI', 'base64Binary', 'boolean', 'byte', 'date', 'dateTime', 'decimal', 'double'],
  ...['duration', 'ENTITIES', 'ENTITY', 'float', 'gDay', 'gMonth', 'gMonthDay', 'gYear', 'gYearMonth', 'hexBinary'],
  ...['ID', 'IDREF', 'IDREFS', 'int', 'integer', 'language', 'long', 'Name', 'NCName', 'negativeInteger', 'NMTOKEN'],
  ...['NMTOKENS', 'nonNegativeInteger', 'nonPositiveInteger', 'normalizedString', 'NOTATION', 'positiveInteger'],
  ...['QName', 'short', 'string', 'time', 'token', 'unsignedByte', 'unsignedInt', 'unsignedLong', 'unsignedShort'],
]);

export function toNameKey({ uri, local }: ExpandedName): NameKey {
  return `{${uri}}${local}`;
}

export function fromNameKey(key: NameKey): ExpandedName {
  const end = key.lastIndexOf('}');
  return { uri: key.slice(1, end), local: key.slice(end + 1) };
}
