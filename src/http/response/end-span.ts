/** Ends the span of a request, if traces are enabled. */
import type { LoggedRequest, RequestContext } from '../context/app-options.ts';
import { nameOperation } from './name-operation.ts';

/** Queries and headers can contain secrets, so that only the path is recorded. */
export function endSpan(
  context: RequestContext<unknown>,
  { method, path, route, status }: Pick<LoggedRequest, 'method' | 'path' | 'route' | 'status'>,
): void {
  if (context.span === undefined) return;
  const { service, operation } = nameOperation(context, method);
  context.span.end({
    name: operation === undefined || service === 'REST' ? `${method} ${route}` : `${service} ${operation}`,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'url.path': path,
      ...(service === undefined ? {} : { 'graticule.service': service }),
      ...(operation === undefined ? {} : { 'graticule.operation': operation }),
    },
    isFailed: status >= 500,
  });
}
