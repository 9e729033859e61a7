import type { server } from '../en/server.ts';

const parseLater = "Vérifiez les octets tels qu'ils ont été reçus, et analysez-les ensuite.";
const bytesAsReceived = "Vérifiez les octets tels qu'ils ont été reçus.";
const prefixes =
  'Écrivez sha256= avant les chiffres hexadécimaux (X-SERVICE-Signature), v1, avant le base64 (webhook-signature).';
const copySecret = 'Copiez de nouveau le secret en entier, avec whsec_.';
const signedText = 'webhook-signature porte sur webhook-id.webhook-timestamp.corps';

/** Mistakes in verifying a signature, by their id: what is wrong, and how to fix it. */
export const mistakes: typeof server.diagnosis.mistakes = {
  body_rewritten: {
    says: "La signature correspond au corps sans espaces entre ses éléments, comme l'écrit JSON.stringify de JavaScript : il a été analysé puis réécrit.",
    fix: parseLater,
  },
  body_spaced: {
    says: "La signature correspond au corps avec d'autres espaces entre ses éléments, comme les écrit json.dumps de Python : il a été analysé puis réécrit.",
    fix: parseLater,
  },
  body_indented: {
    says: 'La signature correspond au corps avec une autre indentation : il a été mis en forme.',
    fix: `${bytesAsReceived} Un éditeur ou un journal a peut-être mis votre copie en forme.`,
  },
  body_sorted: {
    says: 'La signature correspond au corps avec ses clés triées : il a été analysé puis réécrit.',
    fix: parseLater,
  },
  body_escaped: {
    says: "La signature correspond au corps avec d'autres échappements (barres obliques, caractères hors ASCII, < > &) : il a été analysé puis réécrit, comme par json_encode de PHP.",
    fix: parseLater,
  },
  body_quoted: {
    says: "La signature correspond au corps mis dans une chaîne JSON, ou sorti d'une telle chaîne : un texte a été encodé en JSON.",
    fix: "Passez le corps sans le changer. N'encodez pas de nouveau un texte en JSON.",
  },
  body_base64: {
    says: 'La signature correspond au corps décodé du base64 : une plateforme comme AWS Lambda passe des corps encodés.',
    fix: "Décodez le corps avant la vérification, si la plateforme indique qu'il est encodé.",
  },
  newline_extra: {
    says: "La signature correspond au corps sans le saut de ligne à sa fin : quelque chose l'a ajouté, comme un éditeur ou echo.",
    fix: `${bytesAsReceived} Pour créer un fichier à la main, utilisez printf %s au lieu de echo.`,
  },
  newline_missing: {
    says: "La signature correspond au corps avec un saut de ligne à sa fin : quelque chose l'a retiré.",
    fix: `${bytesAsReceived} N'enlevez rien au début ni à la fin.`,
  },
  white_space: {
    says: "La signature correspond au corps sans les espaces qui l'entourent : quelque chose les a ajoutés.",
    fix: bytesAsReceived,
  },
  line_ends: {
    says: "La signature correspond au corps avec d'autres fins de ligne (CRLF au lieu de LF, ou l'inverse).",
    fix: 'Vérifiez les octets bruts. Git, et le mode texte sous Windows, changent les fins de ligne.',
  },
  bom_extra: {
    says: "La signature correspond au corps sans l'indicateur d'ordre des octets à son début : un éditeur, ou une écriture en UTF-8 avec BOM, l'a ajouté.",
    fix: `${bytesAsReceived} Ou enregistrez le fichier en UTF-8 sans BOM.`,
  },
  bom_missing: {
    says: "La signature correspond au corps avec un indicateur d'ordre des octets à son début : quelque chose l'a retiré.",
    fix: bytesAsReceived,
  },
  encoding: {
    says: 'La signature correspond au corps dans un autre encodage : il a été lu ou écrit en Latin-1 ou en UTF-16 au lieu de UTF-8.',
    fix: 'Utilisez des octets partout, ou encodez le texte en UTF-8.',
  },
  body_data_only: {
    says: 'La signature ou le corps ne porte que sur le champ data, sans event ni delivered_at.',
    fix: "Vérifiez le corps entier tel qu'il a été reçu, et prenez-y data ensuite.",
  },
  body_empty: {
    says: "Le corps est vide, ou la signature a été faite sur un corps vide : un analyseur ou un journal l'a déjà lu.",
    fix: "Lisez d'abord le corps brut, et passez-le à partir de là.",
  },
  body_object: {
    says: 'Le corps, ou ce qui a été signé, est un objet converti en texte, comme [object Object], Array, {} ou null.',
    fix: "Passez les octets bruts, et non l'objet analysé.",
  },
  body_replaced: {
    says: 'Le corps contient U+FFFD : des octets ont été lus dans un mauvais encodage et sont perdus.',
    fix: "Utilisez des octets depuis la connexion jusqu'à la vérification.",
  },
  body_looks_rewritten: {
    says: "Le corps semble avoir été analysé puis réécrit : ses espaces, ses échappements ou l'ordre de ses clés diffèrent de ceux de l'expéditeur.",
    fix: parseLater,
  },
  secret_looks_cut: {
    says: "Le secret n'est pas whsec_ suivi du base64 de 32 octets : il est peut-être coupé, ou n'est pas un secret de cet expéditeur.",
    fix: copySecret,
  },

  another_secret: {
    says: 'La signature a été faite avec un autre de vos secrets, et non avec le premier.',
    fix: "Utilisez le secret de cet endpoint. Pendant un renouvellement, passez les deux, et retirez l'ancien ensuite : X-SERVICE-Signature est faite avec l'ancien secret jusqu'à sa fin.",
  },
  secret_white_space: {
    says: "Le secret est entouré d'espaces ou de sauts de ligne, qui viennent souvent d'un fichier ou d'une variable.",
    fix: 'Retirez-les là où le secret est lu.',
  },
  secret_newline_signed: {
    says: 'La signature a été faite avec un saut de ligne à la fin du secret.',
    fix: 'Retirez-le là où la signature est faite.',
  },
  secret_quoted: {
    says: "Le secret est entouré de guillemets, qui viennent souvent d'un fichier .env.",
    fix: 'Retirez les guillemets.',
  },
  secret_quoted_signed: {
    says: "La signature a été faite avec des guillemets autour du secret, qui viennent souvent d'un fichier .env.",
    fix: 'Retirez les guillemets là où la signature est faite.',
  },
  secret_prefix_missing: {
    says: "La signature a été faite avec le préfixe whsec_, que votre secret n'a pas.",
    fix: "Utilisez le secret entier avec whsec_ : c'est la clé de X-SERVICE-Signature.",
  },
  secret_prefix_cut: {
    says: 'La signature a été faite sans le préfixe whsec_, mais la clé de X-SERVICE-Signature est le texte entier.',
    fix: 'Utilisez le secret entier pour X-SERVICE-Signature.',
  },
  secret_decoded: {
    says: 'La signature a été faite avec le secret décodé, mais la clé de X-SERVICE-Signature est son texte.',
    fix: 'Utilisez le texte du secret pour X-SERVICE-Signature ; les octets décodés ne sont la clé que de webhook-signature.',
  },
  secret_not_decoded: {
    says: 'La signature a été faite avec le texte du secret, mais la clé de webhook-signature est faite des octets décodés.',
    fix: 'Pour webhook-signature, retirez whsec_ et décodez le reste.',
  },
  secret_empty: {
    says: "La signature a été faite avec un secret vide ou avec le mot undefined, car une variable n'avait pas de valeur. N'importe qui peut la faire.",
    fix: 'Arrêtez le démarrage de votre programme si le secret manque.',
  },
  timestamp_left_out: { says: "La signature a été faite sans l'horodatage.", fix: `${signedText}.` },
  id_left_out: { says: "La signature a été faite sans l'identifiant.", fix: `${signedText}.` },
  id_and_timestamp_left_out: {
    says: "La signature a été faite sur le corps seul, sans l'identifiant ni l'horodatage.",
    fix: `${signedText}. Seul X-SERVICE-Signature porte sur le corps seul.`,
  },
  id_and_timestamp_included: {
    says: "La signature a aussi été faite sur l'identifiant ou l'horodatage, mais X-SERVICE-Signature porte sur le corps seul.",
    fix: 'Pour X-SERVICE-Signature, signez le corps seul.',
  },
  order: {
    says: 'La signature a été faite avec les parties dans un autre ordre, ou sans points entre elles.',
    fix: `${signedText}, avec des points entre les parties.`,
  },
  timestamp_milliseconds: {
    says: "L'horodatage est en millisecondes, dans l'en-tête ou dans le texte signé. Les deux demandent des secondes entières.",
    fix: "Utilisez des secondes entières depuis 1970 dans l'en-tête et dans le texte signé.",
  },
  timestamp_too_old: {
    says: 'La signature est valide, mais son horodatage est trop ancien : la requête a été rejouée ou conservée, ou une horloge est fausse.',
    fix: "Réglez l'horloge par NTP. Pour vérifier une requête conservée, passez son heure (--at).",
  },
  timestamp_too_new: {
    says: "La signature est valide, mais son horodatage est dans le futur : votre horloge ou celle de l'expéditeur est fausse.",
    fix: "Réglez l'horloge par NTP ; n'élargissez pas la tolérance.",
  },
  algorithm: { says: 'La signature a été faite avec un autre hachage que SHA-256.', fix: 'Utilisez HMAC-SHA256.' },
  key_and_body_swapped: {
    says: 'La signature a été faite avec le corps comme clé et le secret comme texte : les deux arguments sont inversés.',
    fix: "Utilisez le secret comme clé et le corps comme texte. L'ordre des arguments dépend du langage.",
  },
  no_key: {
    says: "La signature est un simple hachage sans le secret : n'importe qui peut la faire.",
    fix: 'Utilisez HMAC-SHA256 avec le secret comme clé.',
  },
  hash_not_hmac: {
    says: 'La signature est un hachage du secret et du corps, et non un HMAC.',
    fix: 'Utilisez HMAC-SHA256 avec le secret comme clé.',
  },

  prefix_missing: { says: "La signature n'a pas de préfixe.", fix: prefixes },
  prefix_other: { says: 'La signature a un mauvais préfixe.', fix: prefixes },
  hex_upper_case: {
    says: 'Les chiffres hexadécimaux sont en majuscules.',
    fix: 'Écrivez-les en minuscules, comme la plupart des bibliothèques.',
  },
  base64_for_hex: {
    says: 'La signature est en base64 ; X-SERVICE-Signature est en hexadécimal.',
    fix: "Écrivez l'empreinte en hexadécimal.",
  },
  hex_for_base64: {
    says: 'La signature est en hexadécimal ; webhook-signature est en base64.',
    fix: "Écrivez l'empreinte en base64.",
  },
  base64_url: {
    says: "La signature est en base64url, ou n'a pas le remplissage (=) du base64.",
    fix: "Utilisez le base64 simple pour webhook-signature, l'hexadécimal pour X-SERVICE-Signature.",
  },
  base64_of_hex: {
    says: 'La signature est le base64 des chiffres hexadécimaux : elle a été encodée deux fois.',
    fix: "Encodez l'empreinte une seule fois.",
  },
  quotes_or_white_space: {
    says: "La valeur de l'en-tête est entourée de guillemets ou d'espaces.",
    fix: 'Utilisez la valeur sans eux.',
  },
  other_format: {
    says: "L'en-tête a la forme de celui d'un autre service (comme t=...,v1=... de Stripe).",
    fix: "X-SERVICE-Signature est sha256=<hexadécimal> ; l'horodatage a son propre en-tête, webhook-timestamp.",
  },
  other_header_name: {
    says: "L'en-tête de la signature a un autre nom.",
    fix: "Les noms sont X-SERVICE-Signature, webhook-id, webhook-timestamp et webhook-signature. L'expéditeur peut configurer le premier.",
  },
  signatures_list: {
    says: 'Les signatures ne sont pas séparées par des espaces.',
    fix: 'Pendant un renouvellement, webhook-signature en contient plusieurs, séparées par des espaces : v1,AAA v1,BBB.',
  },
  header_missing: {
    says: "L'en-tête de la signature manque.",
    fix: "Passez tous les en-têtes de la requête. Un proxy ou un framework peut les retirer. Une requête sans eux ne vient pas de l'expéditeur.",
  },
  headers_incomplete: {
    says: 'Il manque au moins un en-tête parmi webhook-id, webhook-timestamp et webhook-signature. Les trois sont nécessaires.',
    fix: 'Passez les trois, ou aucun pour vérifier X-SERVICE-Signature seul.',
  },
  header_repeated: {
    says: "Un en-tête est présent deux fois, et n'a donc pas de valeur sûre.",
    fix: "Cherchez le proxy qui l'ajoute une deuxième fois.",
  },
  header_malformed: {
    says: "La signature correspond, mais un autre en-tête n'a pas la bonne forme.",
    fix: 'webhook-id est un mot de lettres, de chiffres, de _ et de - ; webhook-timestamp est en secondes entières ; chacun est présent une fois.',
  },
  other_delivery: {
    says: "X-SERVICE-Signature correspond, mais pas webhook-signature : un des en-têtes webhook-* est celui d'une autre livraison, ou a été changé.",
    fix: 'Passez les en-têtes de la même requête.',
  },
  secret_unusable: {
    says: "Le secret ne peut pas être la clé de webhook-signature : ce n'est pas du base64, avec ou sans le préfixe whsec_.",
    fix: copySecret,
  },
};
