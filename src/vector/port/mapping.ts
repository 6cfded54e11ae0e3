/** The model of a mapping document, which maps table rows to complex features. */
import type { Expression } from '../../filter/model/expression.ts';

/** The namespace of the root element of mapping documents. */
export const APP_SCHEMA_NAMESPACE = 'http://www.geotools.org/app-schema';

/** A qualified name; the namespace is empty for an unqualified name. */
export interface QualifiedName {
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
}

export interface Mapping {
  readonly file: string;
  /** By prefix. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly includes: readonly WithLine<{ readonly path: string }>[];
  readonly stores: readonly SourceStore[];
  /** The catalog file that locates schemas, if any. */
  readonly catalog?: string;
  readonly schemas: readonly WithLine<{ readonly uri: string }>[];
  readonly types: readonly TypeMapping[];
}

/** With its first line. */
export type WithLine<T> = T & { readonly line: number };

export interface SourceStore {
  readonly id: string;
  /** Distinguishes stores with the same id in different files. */
  readonly key: string;
  /** `DataStore`, or the element of another kind of store. */
  readonly element: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly isDataAccess: boolean;
  readonly line: number;
}

export interface TypeMapping {
  /** The name for chaining, if several mappings have the same target. */
  readonly name?: string;
  /** The id of its store, in its own file or else in the first file that defines it. */
  readonly sourceStore: string;
  /** The key of that store. */
  readonly storeKey: string;
  readonly sourceType: string;
  readonly databaseSchema?: string;
  readonly targetElement: QualifiedName;
  /** The path of the default geometry, if the mapping defines it. */
  readonly defaultGeometry?: TargetPath;
  /** Whether several rows can form one feature. */
  readonly isDenormalised: boolean;
  readonly isXmlStore: boolean;
  readonly itemXpath?: string;
  readonly indexStore?: string;
  readonly indexType?: string;
  readonly attributes: readonly AttributeMapping[];
  readonly line: number;
}

export interface AttributeMapping {
  /** Absent if only a label or an instance path locates it. */
  readonly target?: TargetPath;
  /** The type to create if the schema allows several. */
  readonly targetNode?: QualifiedName;
  readonly id?: IdSource;
  readonly source?: AttributeSource;
  readonly isMultiple: boolean;
  readonly isList: boolean;
  readonly encodeIfEmpty: boolean;
  readonly label?: string;
  readonly parentLabel?: string;
  readonly targetQuery?: string;
  readonly instancePath?: string;
  /** XML attributes such as `xlink:href`. */
  readonly clientProperties: readonly ClientProperty[];
  readonly anonymousAttributes: readonly ClientProperty[];
  /** Values from a separate table. */
  readonly multipleValue?: MultipleValue;
  readonly line: number;
}

/** An expression, or a path into an XML source. */
export type IdSource =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'path'; readonly path: string };

export type AttributeSource =
  | {
      readonly kind: 'expression';
      readonly expression: Expression;
      /** The row of a denormalised feature, starting at 1. */
      readonly index?: number | 'last';
    }
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'link';
      /** The value to compare with `field` of the chained features. */
      readonly expression?: Expression;
      /** The name of the chained type, or an expression that returns it. */
      readonly type: QualifiedName | Expression;
      readonly field?: TargetPath;
    };

export interface ClientProperty {
  readonly name: QualifiedName;
  readonly value: Expression;
}

export interface MultipleValue {
  readonly sourceColumn: string;
  readonly targetTable: string;
  readonly targetColumn: string;
  readonly value: Expression;
}

/** A path into the target type, such as `gsml:specification/gsml:GeologicUnit/gml:name[2]/@codeSpace`. */
export interface TargetPath {
  /** As written. */
  readonly text: string;
  readonly steps: readonly TargetStep[];
  /** Whether it is the chaining property instead of a property of the type. */
  readonly isFeatureLink: boolean;
}

export interface TargetStep {
  readonly name: QualifiedName;
  readonly isAttribute: boolean;
  /** Starts at 1, which is the default. */
  readonly index: number;
}
