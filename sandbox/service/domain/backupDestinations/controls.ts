import { control } from '../../http/module';
import { arrayOf, object, oneOf } from '../../http/schema';
import { storageProviders } from './rows';

export const providerControls = [
	control({
		method: 'POST',
		path: '/providers',
		does: `Makes storage providers unavailable until the service stops: {"unavailable": [providers]}. [] makes all available. Providers: ${storageProviders.join(', ')}`,
		body: object({ unavailable: arrayOf(oneOf(...storageProviders)) }),
		handle({ world, body }) {
			world.settings.unavailableProviders = body.unavailable;
			return { unavailable: body.unavailable };
		},
	}),
];
