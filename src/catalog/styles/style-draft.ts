/** What a client may say of a style's entry: absent stays, null clears. */
import type { LegendPicture, WrittenFormat } from './style.ts';

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

/** What the draft says of the format, over what is known without it. */
export function declaredFormat(draft: StyleDraft, known: WrittenFormat): WrittenFormat {
  const language = draft.format ?? known.language;
  const kept = language === known.language ? known.version : '1.0.0';
  // There is one version of CSS only.
  return { language, version: language === 'css' ? '1.0.0' : (draft.languageVersion ?? kept) };
}
