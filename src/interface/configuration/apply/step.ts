/** One step of a plan: it creates, changes or deletes one resource. */
import { type DocumentResource, findAddress } from '../document/document.ts';
import type { ExportedResource } from '../document/export-resources.ts';
import type { Fields } from '../model/fields.ts';
import type { ConfigurationKind, ResourceAddress, WantedResource } from '../model/kind.ts';
import { type FieldChange, listChangedNames, listFieldChanges } from './field-changes.ts';

interface StepBase {
  readonly row: ConfigurationKind;
  readonly path: string;
  readonly address: ResourceAddress;
  /** The paths of steps that refer to each other, this one included. */
  readonly cycle?: readonly string[];
}

export type Step =
  | (StepBase & WritingStep & { readonly action: 'create'; readonly wanted: WantedResource })
  | (StepBase & WritingStep & { readonly action: 'update' } & UpdateContents)
  | (StepBase & { readonly action: 'delete'; readonly former: Fields });

interface WritingStep {
  /** Whether the new fields may contain a member of this name. Parsing them to look for it would take longer. */
  mayContain(name: string): boolean;
}

interface UpdateContents {
  /** With all resulting fields. */
  readonly wanted: WantedResource;
  readonly former: Fields;
  readonly changed: ReadonlySet<string>;
}

/** Creates a resource of a document. Its fields are parsed when they are used: those of all steps would fill the memory. */
export class CreationStep implements StepBase, WritingStep {
  static #lastUsed: { readonly step: CreationStep; readonly wanted: WantedResource } | undefined;

  readonly action = 'create';
  readonly row: ConfigurationKind;
  readonly path: string;
  readonly #resource: DocumentResource;

  constructor(resource: DocumentResource) {
    this.row = resource.row;
    this.path = resource.path;
    this.#resource = resource;
  }

  get address(): ResourceAddress {
    return this.#resource.address;
  }

  /** It is usually read several times in turn. */
  get wanted(): WantedResource {
    const last = CreationStep.#lastUsed;
    if (last?.step === this) return last.wanted;
    const { address, fields } = this.#resource;
    const wanted = { ...address, fields };
    CreationStep.#lastUsed = { step: this, wanted };
    return wanted;
  }

  mayContain(name: string): boolean {
    return mayContainMember(this.#resource.written.toString(), name);
  }
}

/** A member name can be written with escapes. */
function mayContainMember(json: string, name: string): boolean {
  return json.includes(`"${name}"`) || json.includes('\\u');
}

/** Changes fields of a resource, which are parsed when they are used. */
export class UpdateStep implements StepBase, WritingStep, UpdateContents {
  static #lastUsed: { readonly step: UpdateStep; readonly contents: UpdateContents } | undefined;

  readonly action = 'update';
  readonly row: ConfigurationKind;
  readonly path: string;
  readonly #present: ExportedResource;
  /** The fields that are not as before, as JSON. */
  readonly #given: string;

  /** `wanted` has all resulting fields. */
  constructor(row: ConfigurationKind, present: ExportedResource, former: Fields, wanted: Fields) {
    this.row = row;
    this.path = present.path;
    this.#present = present;
    this.#given = JSON.stringify(
      Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== former[name])),
    );
  }

  get address(): ResourceAddress {
    return findAddress(this.row, this.path);
  }

  get wanted(): WantedResource {
    return this.#contents.wanted;
  }

  get former(): Fields {
    return this.#contents.former;
  }

  get changed(): ReadonlySet<string> {
    return this.#contents.changed;
  }

  mayContain(name: string): boolean {
    return mayContainMember(this.#given, name);
  }

  /** Several values of one step are usually read in turn. */
  get #contents(): UpdateContents {
    const last = UpdateStep.#lastUsed;
    if (last?.step === this) return last.contents;
    const former = JSON.parse(this.#present.fields) as Fields;
    const fields: Fields = { ...former, ...(JSON.parse(this.#given) as Fields) };
    const wanted = { ...this.address, fields };
    const contents = { wanted, former, changed: listChangedNames(former, fields) };
    UpdateStep.#lastUsed = { step: this, contents };
    return contents;
  }
}

/** Deletes a resource, whose fields are parsed when they are used. */
export class DeletionStep implements StepBase {
  readonly action = 'delete';
  readonly row: ConfigurationKind;
  readonly path: string;
  readonly #present: ExportedResource;

  constructor(row: ConfigurationKind, present: ExportedResource) {
    this.row = row;
    this.path = present.path;
    this.#present = present;
  }

  get address(): ResourceAddress {
    return findAddress(this.row, this.path);
  }

  get former(): Fields {
    return JSON.parse(this.#present.fields) as Fields;
  }
}

/** The differences that an update makes, with secrets masked. */
export function listStepChanges({ row, former, wanted }: StepBase & UpdateContents): readonly FieldChange[] {
  return listFieldChanges(former, wanted.fields, row.secrets ?? []);
}
