/** The JSON Schema of a document, for OpenAPI. */

export interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly const?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | string | boolean;
  readonly enum?: readonly string[];
  /** Example values; the example of a document shows the first one of each field. */
  readonly examples?: readonly unknown[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  /** The XML element name, if it differs; a `wrapped` array has an element around its items. */
  readonly xml?: { readonly name?: string; readonly wrapped?: boolean };
}

/** The description of a document for OpenAPI. */
export interface DescribedDocument {
  readonly root: string;
  readonly schema: JsonSchema;
  /** The name of the schema, if the root is ambiguous. */
  readonly schemaName?: string;
  /** The XML element, if it differs from the root. */
  readonly xmlRoot?: string;
  /** The XML example, if it cannot be derived from the schema. */
  readonly xmlExample?: string;
}
