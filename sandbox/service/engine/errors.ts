/** One failed rule of a request: a machine-readable code, the parameter and what is wrong with it. */
export interface ErrorDetail {
	code: string;
	param: string;
	message: string;
}

/** An error response: `{ error: { code, message, details? } }` with an HTTP status (Part A 7). */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly details?: ErrorDetail[],
	) {
		super(message);
	}

	get body() {
		return { error: { code: this.code, message: this.message, details: this.details } };
	}
}

export const unauthorized = () =>
	new ApiError(401, 'unauthorized', 'A valid API token is required');

export const forbidden = () => new ApiError(403, 'forbidden', 'The account is inactive');

export const notFound = (what: string) => new ApiError(404, 'not_found', `${what} was not found`);

export const conflict = (message: string) => new ApiError(409, 'conflict', message);

export const rateLimited = () =>
	new ApiError(429, 'rate_limited', 'Too many requests in this window');

export const invalid = (details: ErrorDetail[]) =>
	new ApiError(400, 'bad_request', describe('The request is invalid', details), details);

/** A business rule that does not hold for the parameter. */
export function unprocessable(code: string, param: string, message: string): ApiError {
	const details = [{ code, param, message }];
	return new ApiError(
		422,
		'unprocessable_entity',
		describe('The request cannot be carried out', details),
		details,
	);
}

function describe(summary: string, details: ErrorDetail[]): string {
	return `${summary}: ${details.map(({ param, message }) => `${param} ${message}`).join('; ')}`;
}
