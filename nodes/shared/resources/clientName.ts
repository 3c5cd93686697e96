import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/records';

/** The name of a site's client; blank if it has none. Source: Part B, 2.1. */
export function clientName({ client }: IDataObject): IDataObject[string] {
	if (!isRecord(client)) return undefined;
	const { company_name: company, first_name: first, last_name: last, email } = client;
	return company || [first, last].filter(Boolean).join(' ') || email;
}
