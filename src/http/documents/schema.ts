/** The JSON Schema that OpenAPI shows for a document. */

export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  /** What it may look like; the example of a document shows the first of each field that has one. */
  readonly examples?: readonly unknown[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  /** How its element is called in XML, where that differs; a `wrapped` array has an element around its items. */
  readonly xml?: { readonly name?: string; readonly wrapped?: boolean };
}

/** What a description of the interface has to know of a document beside how to read or write it. */
export interface DescribedDocument {
  readonly root: string;
  readonly schema: JsonSchema;
  /** What the schema is called where the root would not tell it from another. */
  readonly schemaName?: string;
  /** The element that it is in XML, where that is not the root. */
  readonly xmlRoot?: string;
  /** Written out where its schema does not tell what XML looks like. */
  readonly xmlExample?: string;
}
