/** One style: its text and forms beside a map and a legend that follow every change. */
import { useEffect, useMemo } from 'preact/hooks';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { session as user } from '../../../rest/session.ts';
import type { PageProps } from '../../../routes.ts';
import type { StyleLanguage } from '../../../style-text/languages.ts';
import { getRestPath, readStyleText, type StyleDocument, type StylePlace, type StyleText } from '../style-documents.ts';
import { StyleSession } from './style-session.ts';
import { Workbench } from './workbench.tsx';

export function Page({ params: { workspace, style: name = '' } }: PageProps) {
  const place: StylePlace = { workspace, name };
  const entry = useRest<StyleDocument>(getRestPath(place));
  const style = entry.data?.body.style;
  const language = style?.format;
  const text = useRest<StyleText>({
    path: language === undefined ? undefined : `${getRestPath(place)}.${language}`,
    read: async (_, signal) => {
      const stored = await readStyleText(place, language ?? 'sld', signal);
      return { body: stored, etag: stored.etag, change: null, total: null };
    },
  });
  const error = entry.error ?? text.error;
  const stored = text.data?.body;
  if (error !== null && stored === undefined) {
    return (
      <div class="style-problem">
        <h1>{place.name}</h1>
        <ProblemNotice error={error} onRetry={() => void (entry.error === null ? text : entry).refetch()} />
      </div>
    );
  }
  if (style === undefined || language === undefined || stored === undefined) return null;
  const version = style.languageVersion?.version ?? '1.0.0';
  return <Loaded key={language} {...{ place, language, version, stored }} />;
}

interface LoadedProps {
  readonly place: StylePlace;
  readonly language: StyleLanguage;
  readonly version: string;
  readonly stored: StyleText;
}

function Loaded({ place, language, version, stored }: LoadedProps) {
  const session = useMemo(() => new StyleSession(place, { language, version }, stored), []);
  useEffect(() => () => session.stop(), [session]);
  useEffect(() => session.follow(stored), [stored.etag]);
  return <Workbench session={session} stored={stored} canWrite={canWrite(place)} />;
}

/** Global styles belong to administrators of the server. */
function canWrite({ workspace }: StylePlace): boolean {
  const self = user.value;
  return self != null && (self.isAdministrator || (workspace !== undefined && self.workspaces.includes(workspace)));
}
