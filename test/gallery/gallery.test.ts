/**
 * Draws every style document below `documents/` and compares the map with the reviewed picture beside it. A comment
 * `gallery: data=ways` in a document selects the data of `data.ts`; `size`, `box`, `crs`, `angle`, `dpi` and `env`
 * (`env=name:value,name:value`) are optional. `UPDATE_GALLERY=1 npx vitest run test/gallery` rewrites the pictures that
 * differ; look at each before the commit.
 */
import { describe } from 'vitest';
import { testDocuments } from './test-documents.ts';

describe('the gallery of styles', () => {
  testDocuments(new URL('documents/', import.meta.url));
});
