/** The configuration kind for stored queries, global or of a workspace. */
import { storedQueryKind } from '../../../catalog/kinds/stored-query.ts';
import { encodePath } from '../../changes/record-path.ts';
import { getStoredQueryPath, storedQueryDocument } from '../../stored-queries/representation.ts';
import { createFieldMapping, type Fields } from '../model/fields.ts';
import { type ConfigurationKind, mapPreparedRecords } from '../model/kind.ts';
import { createResourceOperations } from '../model/operations.ts';

const defaults: Fields = { title: null, abstract: null, isPrivate: false, parameters: [] };

const storedQueryFields = createFieldMapping(storedQueryDocument, ['name', 'workspace'], defaults);

export const storedQueryRow: ConfigurationKind = {
  kind: storedQueryKind.kind,
  patterns: ['/storedqueries/:storedQuery', '/workspaces/:workspace/storedqueries/:storedQuery'],
  fieldNames: storedQueryFields.names,
  defaults,
  // Texts of several lines often end with a line break in configuration documents.
  normalise: ({ queries, ...rest }) => ({
    ...rest,
    ...(queries === undefined
      ? {}
      : {
          queries: Array.isArray(queries)
            ? queries.map((each) => (typeof each === 'string' ? each.trim() : each))
            : queries,
        }),
  }),
  every: ({ every, workspaces }) =>
    mapPreparedRecords(every(storedQueryKind), async () => {
      const known = await workspaces();
      return (query) => {
        const workspace = query.parent === null ? null : known.get(query.parent);
        if (workspace === undefined) return undefined;
        return {
          path: encodePath(getStoredQueryPath(query.name, workspace?.name ?? null)),
          fields: () => storedQueryFields.toFields({ query, workspace }),
        };
      };
    }),
  ...createResourceOperations(storedQueryDocument.root),
};
