import { routes, routesBeyond } from '../../sandbox/service/modules';
import { errorSchema, errorStatuses } from '../../sandbox/service/http/statuses';
import { validatorOf } from '../../sandbox/service/http/validators';

const byOperationId = new Map(
	[...routes, ...routesBeyond].map((route) => [route.operationId, route]),
);

/** Statuses that depend on no rule of the operation. */
const general = [400, 401, 403, 429, 431];

export interface ServiceAnswer {
	operationId: string;
	/** As `POST /api/v6/tags`. */
	request: string;
	status: number;
	/** Text, where it is not a file. */
	body: unknown;
}

/** What is wrong with an answer of the service, if its description in the OpenAPI document does not allow it. */
export function violationOf(answer: ServiceAnswer): string | undefined {
	const { operationId, request, status, body } = answer;
	const route = byOperationId.get(operationId)!;
	const shown = typeof body === 'string' ? body.slice(0, 1_000) : '';
	const told = (why: string) =>
		`${operationId} (${request}) answered with ${status} ${shown}: ${why}`;
	if (status >= 400) {
		const allowed = [...general, ...errorStatuses(route)];
		if (!allowed.includes(status)) {
			return told(
				'the reference has no such status there, or it is missing in `errors` of the route in sandbox/service/domain',
			);
		}
		const isError = validatorOf(errorSchema)(parsed(body));
		return isError ? undefined : told('that is no error body');
	}
	if (status !== route.status) return told(`the route declares ${route.status}`);
	if (!route.response || route.mediaType) return undefined;
	const validate = validatorOf(route.response);
	if (validate(parsed(body))) return undefined;
	return told(`that is not its \`response\` schema: ${JSON.stringify(validate.errors)}`);
}

function parsed(body: unknown): unknown {
	try {
		return JSON.parse(String(body));
	} catch {
		return undefined;
	}
}
