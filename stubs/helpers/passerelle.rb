# Controls a Passerelle stub from tests in Ruby 3.0 or newer. Copy this file; it needs no gem.
#
#     stub = Passerelle::Stub.start('pos')                # before the suite
#     world = stub.world
#     world.fault('createSale:status=503,times=1')
#     ...                                                 # your program calls stub.url with world.credentials
#     world.wait_for_call(operation: 'createSale', status: 201)
#     world.close
require 'json'
require 'net/http'
require 'open3'
require 'openssl'
require 'timeout'
require 'uri'

module Passerelle
  # Says what is wrong: in the stub's own words, if it replied.
  class StubError < StandardError; end

  # A stub, or a world of one.
  class Stub
    HOW_TO_START = '`npx --no -- passerelle run pos -- COMMAND` starts a stub for a suite. Stub.start does if PASSERELLE_POS_URL ' \
                   'is not set, by `npx --no -- passerelle` or the command in PASSERELLE_COMMAND.'.freeze
    # How many seconds a request may take, and a stub to start.
    LIMIT = Float(ENV['PASSERELLE_TIMEOUT'] || 30)
    ADDRESS = %r{\A(https?://(?:[\w.-]+|\[[\h:]+\])(?::\d+)?(?:/_stub/worlds/[\w-]+)?)/*\z}.freeze
    STANDARD = %w[webhook-id webhook-timestamp webhook-signature].freeze

    # Its address, what it accepts (with text keys: `apiKey`, `apiSecret` or `token`), and what signs its webhooks.
    attr_reader :url, :credentials, :secret

    # Starts a stub of `pos` or `cohesion`. It ends with `close`, or with this process.
    #
    # If PASSERELLE_POS_URL (PASSERELLE_COHESION_URL) is set, as by `passerelle run`, connects to that one.
    # PASSERELLE_COMMAND replaces `npx --no -- passerelle`; its words are separated by spaces.
    def self.start(service)
      running = ENV.fetch("PASSERELLE_#{service.upcase}_URL", '')
      return new(running) unless running.empty?

      command = ENV.fetch('PASSERELLE_COMMAND', 'npx --no -- passerelle').split
      command.push('stub', service, '--port', '0', '--quiet', '--until-input-ends')
      begin
        input, output, process = Open3.popen2e(*command)
      rescue SystemCallError => error
        raise StubError, "Cannot run #{command.join(' ')}: #{error.message}. Is Node installed? #{HOW_TO_START}"
      end
      printed = +''
      begin
        line = Timeout.timeout(LIMIT) do
          output.each_line.find { |one| printed << one && one.start_with?('http') }
        end
        return new(line.strip, -> { [input, output].each(&:close) && process.value }) if line

        why = "ended with #{process.value.exitstatus}; its output"
      rescue Timeout::Error
        input.close
        begin
          Process.kill('KILL', process.pid)
        rescue Errno::ESRCH # It has ended by itself meanwhile.
        end
        why = "did not say its address within #{LIMIT.to_s.delete_suffix('.0')} s; its output so far"
      end
      raise StubError, "#{command.join(' ')} #{why}: #{printed.strip.empty? ? 'nothing' : printed.strip}"
    end

    # Connects to a stub that runs. `ending`: what `close` does.
    def initialize(url, ending = -> {})
      @url = url.to_s[ADDRESS, 1]
      raise StubError, "\"#{url}\" is no address of a stub: write it as http://127.0.0.1:4744, without a path" unless @url

      @ending = ending
      @headers = {}
      about = control('GET', '/_stub')
      @credentials, @secret = about.values_at('credentials', 'secret')
      @headers = { 'Authorization' => "Bearer #{about['operatorToken']}" }
    end

    # Stops the stub that `start` started, or ends the world. A stub that ran before stays.
    def close
      @ending.call
    end

    # Puts data, endpoints, clock, limits, faults and calls back to the start.
    def reset
      control('POST', '/_stub/reset')
    end

    # Starts a world: a stub inside this one, with its own credentials. Options: `name`, `seed`, `clock`, `faults`, `webhooks`...
    def world(**options)
      url = control('POST', '/_stub/worlds', options)['url']
      Stub.new(url, -> { control('DELETE', url.delete_prefix(@url)) })
    end

    # Adds a fault: a rule such as `createSale:status=503,times=1`, or a Hash.
    def fault(rule)
      control('POST', '/_stub/faults', { rule: rule })
    end

    # Advances the clock by a duration such as `72h`, and runs what falls due. Returns the new time.
    def advance(by)
      control('POST', '/_stub/clock/advance', { by: by })['now']
    end

    # Returns the oldest call that matches, now or within `timeout` seconds. Filters: `operation`, `method`, `path`, `status`.
    def wait_for_call(timeout: 4, **filters)
      wait('call', '/_stub/calls', filters, timeout, %w[method path status])
    end

    # Returns the oldest delivery that was attempted and matches. Filters: `event_type`, `status`, `endpoint_id`, `event_id`.
    def wait_for_delivery(timeout: 4, **filters)
      found = wait('delivery', '/manage/v1/deliveries', filters, timeout, %w[event_type status])
      control('GET', "/manage/v1/deliveries/#{found['id']}")
    end

    # Raises if the signature of a webhook is not genuine. `body`: its bytes as received. Default: the stub's secret.
    def verify(body, headers, *secrets)
      reason = refusal(body, headers.to_h.transform_keys(&:downcase), secrets.empty? ? [@secret] : secrets)
      raise StubError, "The webhook is not genuine: #{reason}" if reason
    end

    # Calls another route of the control or manage API. Returns its `data`; raises with the words of a refusal.
    def control(method, path, body = nil)
      status, reply = request(method, path, body, @headers)
      return if status == 204

      reply = { 'text' => reply } unless reply.is_a?(Hash)
      reply.fetch('data') do
        raise StubError, "#{method} #{path} got #{status}: #{reply.dig('error', 'message') || reply.to_s[0, 200]}"
      end
    end

    # Makes a call, also of the API that the stub serves. Returns the status and the reply's JSON, or text.
    def request(method, path, body = nil, headers = {})
      uri = URI(@url + path)
      headers = headers.merge('Content-Type' => 'application/json') if body
      limits = { open_timeout: LIMIT, read_timeout: LIMIT, write_timeout: LIMIT, max_retries: 0 }
      reply = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https', **limits) do |http|
        http.send_request(method, uri.request_uri, body && JSON.generate(body), headers)
      end
      [reply.code.to_i, reply.body.to_s.empty? ? nil : JSON.parse(reply.body)]
    rescue JSON::ParserError
      [reply.code.to_i, reply.body]
    rescue Timeout::Error
      raise StubError, "#{@url}#{path} did not answer within #{LIMIT.to_s.delete_suffix('.0')} s"
    rescue SystemCallError, SocketError, IOError, Net::ProtocolError, Net::HTTPBadResponse => error
      raise StubError, "No stub answers at #{@url} (#{error.message}). #{HOW_TO_START}"
    end

    private

    def wait(what, path, filters, timeout, shown)
      query = "?#{URI.encode_www_form(filters)}"
      ending = Process.clock_gettime(Process::CLOCK_MONOTONIC) + timeout
      loop do
        found = control('GET', path + query)
        # The manage API lists the newest first, also those that were not attempted yet.
        found = found.reverse.select { |one| one['attempts'].positive? || one['status'] != 'pending' } if what == 'delivery'
        return found.first unless found.empty?
        break if Process.clock_gettime(Process::CLOCK_MONOTONIC) > ending

        sleep 0.02
      end
      there = control('GET', path).map { |one| one.values_at(*shown).join(' ') }
      listed = there.empty? ? 'none' : "#{there.size}: #{there.join(', ')}"
      raise StubError, "Waited #{timeout} s for a #{what} with #{query}. There are #{listed}"
    end

    # From receivers/samples/receiver.rb:
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

    # Until here.
  end
end
