import { ApiError, type ErrorDetail, invalid } from '../engine/errors';
import type { FastifyError, FastifySchemaValidationError } from 'fastify';

/** The API error for whatever was thrown while a request was handled. */
export function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	const { validation, statusCode = 500, message } = error as FastifyError;
	// That a condition applies is no fault; what it asks for is told beside it.
	if (validation)
		return invalid(validation.filter(({ keyword }) => keyword !== 'if').map(toDetail));
	// The reference knows 400 only for all requests that can not be read.
	if (statusCode < 500) return invalid([{ code: 'malformed', param: 'request', message }]);
	return new ApiError(500, 'internal_error', message);
}

function toDetail(error: FastifySchemaValidationError): ErrorDetail {
	const parent = error.instancePath
		.split('/')
		.slice(1)
		.map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
	const detail = (code: string, message: string, ...child: unknown[]) => ({
		code,
		param: [...parent, ...child].join('.') || 'body',
		message,
	});
	const { params } = error;
	switch (error.keyword) {
		case 'required':
			return detail('required', 'is required', params.missingProperty);
		case 'additionalProperties':
			return detail('unknown', 'is not a known parameter', params.additionalProperty);
		case 'enum':
			return detail('invalid', `must be one of ${(params.allowedValues as string[]).join(' | ')}`);
		default:
			return detail('invalid', error.message ?? 'is invalid');
	}
}
