import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../shared/lib/isRecord';
import type { Completion } from '../shared/operation';
import { clientName } from '../shared/resources/clientName';
import { namesOf, namingCosts } from '../shared/run/namesOf';

/** A report has the name of a person; a client is known by its company. */
export const clientNames: Completion = {
	fields: ['client_name'],
	costs: namingCosts('client'),
	read: async (context, reports) => {
		const idOf = ({ client }: IDataObject) => (isRecord(client) ? client.id : undefined);
		const names = await namesOf(context, '/clients', reports.map(idOf));
		return reports.map((report) => {
			const client = names.get(String(idOf(report)));
			return client ? { ...report, client_name: clientName({ client }) as string } : report;
		});
	},
};
