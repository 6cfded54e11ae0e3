/** One step of a plan: it creates, changes or deletes one resource. */
import type { DocumentResource } from '../document/document.ts';
import type { Fields } from '../model/fields.ts';
import type { ConfigurationKind, ResourceAddress, WantedResource } from '../model/kind.ts';
import type { FieldChange } from './field-changes.ts';

interface StepBase {
  readonly row: ConfigurationKind;
  readonly path: string;
  /** The paths of steps that refer to each other, this one included. */
  readonly cycle?: readonly string[];
}

export type Step =
  | (StepBase & { readonly action: 'create'; readonly wanted: WantedResource })
  | (StepBase & {
      readonly action: 'update';
      /** With all resulting fields. */
      readonly wanted: WantedResource;
      readonly former: Fields;
      readonly changed: ReadonlySet<string>;
      readonly changes: readonly FieldChange[];
    })
  | (StepBase & {
      readonly action: 'delete';
      readonly address: ResourceAddress;
      readonly former: Fields;
    });

/** Creates a resource of a document. Its fields are parsed when they are used: those of all steps would fill the memory. */
export class CreationStep implements StepBase {
  readonly action = 'create';
  readonly row: ConfigurationKind;
  readonly path: string;
  readonly #resource: DocumentResource;

  constructor(resource: DocumentResource) {
    this.row = resource.row;
    this.path = resource.path;
    this.#resource = resource;
  }

  get wanted(): WantedResource {
    const { address, fields } = this.#resource;
    return { ...address, fields };
  }
}
