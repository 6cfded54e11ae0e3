/** The files that are made from the code, for whoever writes them and whoever checks that they are up to date. */
import { registryText } from './crs-registry/make-registry.ts';
import { errorCatalogue } from './error-catalogue.ts';

export interface GeneratedFile {
  /** From the root of the project. */
  readonly path: string;
  readonly content: string;
}

export function generatedFiles(): readonly GeneratedFile[] {
  return [
    { path: 'docs/errors.md', content: errorCatalogue() },
    { path: 'src/data/crs/registry.json', content: registryText() },
  ];
}
