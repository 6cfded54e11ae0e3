/** The configuration kind for grid sets of administrators. */
import { gridSetKind } from '../../../catalog/kinds/grid-set.ts';
import { gridDefaults } from '../../../tiles/grids/grid-definition.ts';
import { encodePath } from '../../changes/record-path.ts';
import { gridSetDocument } from '../../grid-sets/representation.ts';
import { createFieldMapping, type Fields } from '../model/fields.ts';
import { type ConfigurationKind, mapRecords } from '../model/kind.ts';
import { createPut, createResourceOperations, toCreateFields } from '../model/operations.ts';

/** Other fields follow from the CRS and the scales. */
const { alignTopLeft, pixelSize, tileWidth, tileHeight } = gridDefaults;
const defaults: Fields = { description: null, alignTopLeft, pixelSize, tileWidth, tileHeight, tileMatrices: null };

const gridSetFields = createFieldMapping(gridSetDocument, ['name'], defaults);

export const gridSetRow: ConfigurationKind = {
  kind: gridSetKind.kind,
  patterns: ['/gridsets/:gridSet'],
  fieldNames: gridSetFields.names,
  defaults,
  every: ({ every }) =>
    mapRecords(every(gridSetKind), (record) => ({
      path: encodePath(['gridsets', record.name]),
      fields: () => gridSetFields.toFields({ definition: record, version: record.version }),
    })),
  ...createResourceOperations(gridSetDocument.root),
  // PUT replaces the definition.
  change: ({ fields, ...address }) => [
    createPut(address, { document: { [gridSetDocument.root]: toCreateFields(fields) } }),
  ],
};
