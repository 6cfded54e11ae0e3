/** Formats problems of OGC APIs: RFC 9457 and an HTML page; and as plain text for scripts. */
import { chooseOffer } from '../../http/negotiate/negotiation.ts';
import { createErrorReply } from '../../http/response/problems.ts';
import type { ExplainProblem } from '../../http/session/service-reply.ts';
import { toPublicProblem } from './public-problem.ts';

const offers = [
  { format: 'problem', mediaType: 'application/problem+json' },
  { format: 'problem', mediaType: 'application/json' },
  { format: 'problem', mediaType: 'application/geo+json' },
  { format: 'html', mediaType: 'text/html' },
] as const;

export const explainAsProblem: ExplainProblem = (thrown, { rawQuery, headers, baseUrl }) => {
  const publicProblem = toPublicProblem(thrown);
  const f = new URLSearchParams(rawQuery).get('f');
  const chosen = f === null ? chooseOffer([...offers], headers.accept ?? '') : undefined;
  const isPage = f === 'html' || chosen?.format === 'html';
  const offer = isPage ? offers[3] : offers[0];
  return { status: publicProblem.status, ...createErrorReply(publicProblem, publicProblem.status, offer, baseUrl) };
};

/** The format of the reference server for tile administration. */
export const explainAsText: ExplainProblem = (thrown, { baseUrl }) => {
  const publicProblem = toPublicProblem(thrown);
  const offer = { format: 'text', mediaType: 'text/plain' } as const;
  return { status: publicProblem.status, ...createErrorReply(publicProblem, publicProblem.status, offer, baseUrl) };
};
