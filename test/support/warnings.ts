import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

/** Watches n8n's log. @returns what gives the warnings since the last call */
export function watchWarnings(): () => string[] {
	const warn = jest.spyOn(Container.get(Logger), 'warn');
	return () => {
		const said = warn.mock.calls.map(([message]) => String(message));
		warn.mockClear();
		return said;
	};
}
