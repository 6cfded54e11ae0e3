/** A stored query of WFS 2.0.0: queries with placeholders for the values of its parameters. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';

export interface StoredQueryParameter {
  readonly name: string;
  /** A type of XML Schema (`xs:int`) or a geometry type of GML (`gml:PolygonType`). */
  readonly type: string;
  readonly title: string;
  readonly abstract: string;
}

/** Its name is its id. Its parent is its workspace; a global one has none. */
export interface StoredQuery extends RecordBase {
  readonly kind: 'storedQuery';
  readonly title: string;
  readonly abstract: string;
  readonly parameters: readonly StoredQueryParameter[];
  /** Whether clients see the parameters but not the queries. */
  readonly isPrivate: boolean;
  /** `Query` elements of WFS 2.0.0, each a document of its own. */
  readonly queries: readonly string[];
}

export const storedQueryKind: LinkedKind<StoredQuery> = createLinkedKind(
  { kind: 'storedQuery', keys: {}, secrets: {} },
  { livesIn: [workspaceKind.kind], references: [] },
);
