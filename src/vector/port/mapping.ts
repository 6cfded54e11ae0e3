/** What a mapping document says: how features of tables become features with the nested structure of a schema. */
import type { Expression } from '../../filter/model/expression.ts';

/** The namespace of the root element of mapping documents. */
export const APP_SCHEMA_NAMESPACE = 'http://www.geotools.org/app-schema';

/** A name in a namespace; the namespace is empty for a name without one. */
export interface QualifiedName {
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;
}

export interface Mapping {
  readonly file: string;
  /** By their prefixes. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly includes: readonly WithLine<{ readonly path: string }>[];
  readonly stores: readonly SourceStore[];
  /** The file that says where schemas are, if the mapping names one. */
  readonly catalog?: string;
  readonly schemas: readonly WithLine<{ readonly uri: string }>[];
  readonly types: readonly TypeMapping[];
}

/** With the line that it begins in. */
export type WithLine<T> = T & { readonly line: number };

export interface SourceStore {
  readonly id: string;
  /** Tells it from its namesakes in other files. */
  readonly key: string;
  /** `DataStore`, or what stands in its place for stores that are configured otherwise. */
  readonly element: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly isDataAccess: boolean;
  readonly line: number;
}

export interface TypeMapping {
  /** Under which others chain it, where several mappings have one target. */
  readonly name?: string;
  /** The id of its store: one of its own file, or else of the first file that has one. */
  readonly sourceStore: string;
  /** The key of that store. */
  readonly storeKey: string;
  readonly sourceType: string;
  readonly databaseSchema?: string;
  readonly targetElement: QualifiedName;
  /** The property that is the geometry to draw, where the mapping says it. */
  readonly defaultGeometry?: TargetPath;
  /** Whether several rows may be one feature. */
  readonly isDenormalised: boolean;
  readonly isXmlStore: boolean;
  readonly itemXpath?: string;
  readonly indexStore?: string;
  readonly indexType?: string;
  readonly attributes: readonly AttributeMapping[];
  readonly line: number;
}

export interface AttributeMapping {
  /** Absent where only a label or an instance path places it. */
  readonly target?: TargetPath;
  /** The type to make where the schema leaves a choice. */
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
  /** What becomes XML attributes, such as `xlink:href`. */
  readonly clientProperties: readonly ClientProperty[];
  readonly anonymousAttributes: readonly ClientProperty[];
  /** Values in a table of their own. */
  readonly multipleValue?: MultipleValue;
  readonly line: number;
}

/** An expression, or the path into an XML source. */
export type IdSource =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'path'; readonly path: string };

export type AttributeSource =
  | {
      readonly kind: 'expression';
      readonly expression: Expression;
      /** Which row of a denormalised feature it is of, counted from 1. */
      readonly index?: number | 'last';
    }
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'link';
      /** What the value of `field` in the chained features is compared with. */
      readonly expression?: Expression;
      /** The chained type by its name, or an expression that gives the name. */
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

/** A way into the target type, such as `gsml:specification/gsml:GeologicUnit/gml:name[2]/@codeSpace`. */
export interface TargetPath {
  /** As written. */
  readonly text: string;
  readonly steps: readonly TargetStep[];
  /** Whether it is no property of the type, but what features are chained by. */
  readonly isFeatureLink: boolean;
}

export interface TargetStep {
  readonly name: QualifiedName;
  readonly isAttribute: boolean;
  /** Counted from 1; 1 where none is written. */
  readonly index: number;
}
