# SECRET='whsec_...' PORT=9000 ruby receiver.rb   (during a rotation: both secrets, a space between)
require 'json'
require 'openssl'
require 'set'
require 'webrick'

STANDARD = %w[webhook-id webhook-timestamp webhook-signature].freeze
MAX_BYTES = 1_048_576

# Returns why this body must be rejected; nil if it is genuine. `headers` maps lower-case names to values.
def refusal(body, headers, secrets, tolerance_seconds = 300)
  if STANDARD.none? { |name| headers.key?(name) }
    return 'no signature header: neither webhook-* nor x-service-signature' unless headers['x-service-signature']

    expected = secrets.map { |secret| "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, body)}" }
    return any_equal([headers['x-service-signature'].to_s], expected) ? nil : 'wrong x-service-signature'
  end
  id, timestamp, signatures = STANDARD.map { |name| headers[name].to_s }
  # Without a dot in the id, the signed text can be cut in one way only.
  return 'missing or malformed webhook-* header' unless id.match?(/\A[A-Za-z0-9_-]+\z/) && timestamp.match?(/\A[0-9]{1,12}\z/)

  signed = "#{id}.#{timestamp}.".b + body.b
  keys = secrets.map { |secret| secret.delete_prefix('whsec_').unpack1('m0') }
  expected = keys.map { |key| "v1,#{[OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')}" }
  return 'wrong webhook-signature' unless any_equal(signatures.split(' '), expected)

  'webhook-timestamp too old or too new' if (Time.now.to_i - timestamp.to_i).abs > tolerance_seconds
end

# In constant time.
def any_equal(given, expected)
  given.product(expected).map { |one, other| OpenSSL.secure_compare(one.b, other.b) }.any?
end

secrets = ENV.fetch('SECRET', '').split
abort 'Set SECRET to the signing secret of the endpoint.' if secrets.empty? || secrets.any? { |one| one.delete_prefix('whsec_').empty? }

begin
  server = WEBrick::HTTPServer.new(
    BindAddress: '127.0.0.1', Port: Integer(ENV.fetch('PORT', '9000')), AccessLog: [], RequestTimeout: 10,
    Logger: WEBrick::Log.new(File::NULL), StartCallback: -> { $stdout.puts('listening'); $stdout.flush }
  )
rescue ArgumentError, SocketError, SystemCallError => error
  abort "Set PORT to a free port, such as 9000: #{error.message}"
end
# Keep these in your database: the ids of the events that came.
known = Set.new
server.mount_proc('/hook') do |request, response|
  # A repeated header is joined into one value, which matches nothing.
  headers = request.header.transform_values { |values| values.join(', ') }
  too_big = headers['content-length'].to_i > MAX_BYTES
  body = too_big ? '' : request.body.to_s
  reason = refusal(body, headers, secrets)
  response.status = too_big ? 413 : (reason.nil? ? 204 : 401)
  response.body = reason.to_s unless response.status == 204
  # An ordered endpoint names the event before. If that never came, ask for it.
  previous = headers['webhook-previous-id']
  $stdout.puts("missing #{previous}") if response.status == 204 && previous && known.any? && !known.include?(previous)
  known << headers['webhook-id'] if response.status == 204
  # Answer at once and work afterwards; the same webhook-id may come again.
  $stdout.puts("genuine #{headers['webhook-id']} #{JSON.parse(body)['event']}") if response.status == 204
  $stdout.flush
end
trap('TERM') { server.shutdown }
server.start
