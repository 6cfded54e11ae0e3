/** What a client may say of a style's entry: absent stays, null clears. */
import type { LegendPicture, WrittenFormat } from '../kinds/style.ts';

export interface StyleDraft {
  readonly name?: string | null;
  readonly filename?: string | null;
  /** Null means that it shall be global. */
  readonly workspace?: string | null;
  readonly format?: WrittenFormat['language'] | null;
  readonly languageVersion?: WrittenFormat['version'] | null;
  readonly legend?: LegendPicture | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/**
 * What the draft says of the format, over what was said before; what it clears is as it would be if nobody had said
 * anything.
 */
export function mergeDeclaredFormat(
  draft: Pick<StyleDraft, 'format' | 'languageVersion'>,
  said: WrittenFormat,
  unsaid: WrittenFormat,
): WrittenFormat {
  const language = draft.format === undefined ? said.language : (draft.format ?? unsaid.language);
  const getVersion = (format: WrittenFormat) => (format.language === language ? format.version : '1.0.0');
  const version =
    draft.languageVersion === undefined ? getVersion(said) : (draft.languageVersion ?? getVersion(unsaid));
  // There is one version of CSS only.
  return { language, version: language === 'css' ? '1.0.0' : version };
}
