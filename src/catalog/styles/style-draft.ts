/** The style fields that a client can set: an absent field stays unchanged, null clears it. */
import type { LegendPicture, WrittenFormat } from '../kinds/style.ts';

export interface StyleDraft {
  readonly name?: string | null;
  readonly filename?: string | null;
  /** Null for a global style. */
  readonly workspace?: string | null;
  readonly format?: WrittenFormat['language'] | null;
  readonly languageVersion?: WrittenFormat['version'] | null;
  readonly legend?: LegendPicture | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** Merges the declared format of the draft with the current one; cleared fields get their default. */
export function mergeDeclaredFormat(
  draft: Pick<StyleDraft, 'format' | 'languageVersion'>,
  said: WrittenFormat,
  unsaid: WrittenFormat,
): WrittenFormat {
  const language = draft.format === undefined ? said.language : (draft.format ?? unsaid.language);
  const getVersion = (format: WrittenFormat) => (format.language === language ? format.version : '1.0.0');
  const version =
    draft.languageVersion === undefined ? getVersion(said) : (draft.languageVersion ?? getVersion(unsaid));
  // Other languages have only one version.
  return { language, version: language === 'sld' ? version : '1.0.0' };
}
